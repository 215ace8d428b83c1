"""Where the files of a served model lie, if they lie on this machine."""

from pathlib import Path

from arena.models.tokens.files import TOKENIZER


def model_folder(root: str) -> Path | None:
    """Return the folder that a server's card names as its `root`, if it is here; else None.

    Only an absolute path counts: a relative one may be a name on the hub or lie under another
    program's working folder. A server elsewhere may name a path that is another model's here, so
    compare a few ids with the server's own before relying on the folder.
    """
    try:
        folder = Path(root)
        return folder if folder.is_absolute() and (folder / TOKENIZER).is_file() else None
    except OSError:
        return None
