"""The card of a trajectory export: types for `datasets`, and how to read a line."""

from collections.abc import Mapping

from eval.export.card_facts import CardFacts, card_lines
from eval.export.export_folder import ExportResult
from eval.export.training_lines import TrainingUnit

_TEXTS = (
    "run",
    "match",
    "game",
    "script",
    "work",
    "language",
    "seat",
    "faction",
    "contestant",
    "outcome",
    "request",
    "purpose",
    "kind",
    "step",
    "legality",
    "error",
    "model",
    "finish",
)
_FEATURES: Mapping[str, str] = {
    "reward": "float64",
    "reward_above_chance": "float64",
    "seed": "int64",
    "attempt": "int64",
    "prompt_tokens": "int64",
    "output_tokens": "int64",
    "off_path": "bool",
    **dict.fromkeys(_TEXTS, "string"),
}
_LISTS: Mapping[str, str] = {"images": "string", "flags": "string", "completion_ids": "int64"}
_MEANINGS: Mapping[str, str] = {
    "prompt": "messages of the call, as sent to the model; content in parts of type text or image",
    "completion": "one assistant message: the reply",
    "messages": "the whole prompt log of the seat with its replies, including the last one",
    "images": "paths of the pictures within this folder: the n-th image part shows the n-th",
    "reward": "1 if the seat's side won, .5 for a draw, else 0; null: forfeit, error, uncounted, "
    "or off the path",
    "reward_above_chance": "reward - mean reward of random ballots; both sides sum to 0; "
    "null: unknown",
    "kind": "reply, thought, step (a question of the method to its model), reading or summary",
    "step": "number of the step, picture or text part",
    "attempt": "1 for the first answer to a request",
    "legality": "of a reply: accepted, rejected, declined, or unjudged without a rule",
    "error": "reason of the rejection",
    "off_path": "a silent question: the match does not depend on the answer",
    "work": "world of the script; all lines of a world are in one split",
    "completion_ids": "token ids of the reply, if the server reports them",
}
_USE = """```python
from datasets import Image, List, load_dataset

data = load_dataset(FOLDER)
data = data.map(lambda line: {"images": [f"{FOLDER}/{path}" for path in line["images"]]})
data = data.cast_column("images", List(Image()))
```"""


def trajectory_card(
    facts: CardFacts, exported: ExportResult, unit: TrainingUnit, files: Mapping[str, str]
) -> str:
    """Return the README.md of an export with the splits in `files`."""
    talks = ["prompt", "completion"] if unit == "turn" else ["messages"]
    lines = [
        "---",
        "pretty_name: Murder-mystery trajectories",
        "license: other",
        "license_name: see-the-card",
        *(["language:", *(f"- {one}" for one in sorted(facts.languages))] if files else []),
        *_configs(files),
        "dataset_info:",
        "  features:",
        *(line for name in talks for line in _talk(name)),
        *(line for name, kind in _LISTS.items() for line in _feature(name, "list", kind)),
        *(line for name, kind in _FEATURES.items() for line in _feature(name, "dtype", kind)),
        "---",
        "",
        "# Murder-mystery trajectories",
        "",
        f"A line a {'model call' if unit == 'turn' else 'prompt log of a seat, or step of it'}, in "
        "TRL's conversational form. A line holds only what its seat was shown. Rows: "
        + ", ".join(f"{name} {number}" for name, number in exported.rows.items() if number)
        + ".",
        "",
        _USE,
        "",
        "| field | meaning |",
        "|---|---|",
        *(
            f"| `{name}` | {text} |"
            for name, text in _MEANINGS.items()
            if name in {*talks, *_LISTS, *_FEATURES}
        ),
        "",
        *card_lines(facts, exported.left_out),
        "",
    ]
    return "\n".join(lines)


def _configs(files: Mapping[str, str]) -> list[str]:
    if not files:
        return []
    lines = ["configs:", "- config_name: default", "  data_files:"]
    for split, path in files.items():
        lines += [f"  - split: {split}", f"    path: {path}"]
    return lines


def _feature(name: str, key: str, kind: str) -> list[str]:
    return [f"  - name: {name}", f"    {key}: {kind}"]


def _talk(name: str) -> list[str]:
    return [
        f"  - name: {name}",
        "    list:",
        "    - name: role",
        "      dtype: string",
        "    - name: content",
        "      list:",
        "      - name: type",
        "        dtype: string",
        "      - name: text",
        "        dtype: string",
    ]
