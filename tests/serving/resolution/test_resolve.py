"""What `qwen`, `yi`, a profile's name or a URL stands for on this host, and why."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serving.errors import ServingError
from serving.host.hardware import Hardware
from serving.model_files.profile import Profile, find_profile, load_profiles
from serving.model_files.profile_file import ALIASES
from serving.model_files.weights import Weights
from serving.process.server_registry import register
from serving.resolution.consent import ConsentNeeded, offer_of
from serving.resolution.endpoints import NamedEndpoint, load_endpoints
from serving.resolution.name_resolution import (
    find_shared_servers,
    resolve_here,
    resolve_name,
)
from serving.resolution.resolution_types import Resolution, ResolutionContext
from tests.serving.hosts import (
    ALL,
    BARE,
    CPU,
    H200,
    RTX_4090,
    TWO_A100,
    cpu_host,
    gpu,
    gpu_host,
)
from tests.serving.listing import entry

KEY = "sk-never-to-be-seen"


@pytest.fixture(autouse=True, scope="module")
def own_state_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


def local(*names: str) -> Callable[[Profile], Weights]:
    """Weights in a folder for these profiles (or all of them), on the hub for the others."""

    def weights_of(profile: Profile) -> Weights:
        if profile.is_substitute:
            return bundled(profile)
        if not names or profile.name in names:
            return Weights(path=f"/models/{profile.name}", origin="folder")
        return Weights(path=profile.hub_id, origin="hub")

    return weights_of


def bundled(profile: Profile) -> Weights:
    if profile.stand_in:
        return Weights(path="", origin="none")
    return Weights(path="/arena/serving/mini", origin="bundled")


def nowhere(profile: Profile) -> Weights:
    if profile.is_substitute:
        return bundled(profile)
    return Weights(path="", origin="none", note="looked in /models and the hub is off")


def without_mini(profile: Profile) -> Weights:
    broken = "/arena/serving/mini has no config.json; install the arena again"
    return Weights(path="", origin="none", broken=broken) if profile.bundled else nowhere(profile)


def no_hub_model(hub_id: str) -> Profile:
    raise AssertionError(f"no profile of {hub_id} was to be computed")


def never() -> bool:
    raise AssertionError("the hub was asked although nothing hangs on it")


def resolved(
    name: str,
    hardware: Hardware,
    weights_of: Callable[[Profile], Weights] = nowhere,
    hub: Callable[[], bool] = lambda: False,
    *,
    endpoints: Mapping[str, NamedEndpoint] | None = None,
    share: float = 1.0,
    may_fetch: bool = True,
) -> Resolution:
    return resolve_name(
        name,
        ResolutionContext(
            endpoints=endpoints or {},
            hardware=hardware,
            weights_of=weights_of,
            hub_reachable=hub,
            profile_of=no_hub_model,
            may_fetch=may_fetch,
            share=share,
        ),
    )


def endpoint(name: str) -> NamedEndpoint:
    return NamedEndpoint(name=name, url="http://there:8000/v1", model="served", key=KEY)


@pytest.mark.parametrize(
    ("host", "here", "chosen"),
    [
        (H200, (), "qwen2.5-vl-72b-fp8"),
        (H200, ("qwen2.5-vl-7b",), "qwen2.5-vl-7b"),
        (H200, ("qwen2.5-vl-3b", "qwen3-vl-8b", "qwen2.5-vl-7b"), "qwen3-vl-8b"),
        (H200, ("qwen2.5-vl-32b", "qwen3-vl-32b", "qwen3-vl-32b-fp8"), "qwen3-vl-32b"),
        (H200, ("qwen2-vl-7b", "qwen2.5-vl-7b"), "qwen2.5-vl-7b"),
        (H200, ("qwen2.5-vl-72b", "qwen2.5-vl-3b"), "qwen2.5-vl-3b"),
        (RTX_4090, (), "qwen2.5-vl-7b"),
        (TWO_A100, (), "qwen2.5-vl-72b-fp8"),
    ],
)
def test_an_alias_is_the_largest_profile_that_fits_and_has_weights_here(
    host: Hardware, here: tuple[str, ...], chosen: str
) -> None:
    found = resolved("qwen", host, local(*here), never)
    assert found.kind == "profile"
    assert found.profile == find_profile(chosen)
    assert found.weights == Weights(path=f"/models/{chosen}", origin="folder")
    assert f"'qwen' is {chosen}" in found.why


def test_the_hub_is_asked_only_where_no_weights_are_here() -> None:
    asked: list[bool] = []

    def hub() -> bool:
        asked.append(True)
        return True

    found = resolved("qwen", RTX_4090, local("none of them"), hub)
    assert found.profile == find_profile("qwen2.5-vl-7b")
    assert "15 GiB to fetch from the hub" in found.why
    assert asked == [True]


def test_what_does_not_fit_on_the_disk_is_not_fetched() -> None:
    tight = replace(H200, disk_free_gib=20.0)
    found = resolved("qwen", tight, local("none of them"), lambda: True)
    assert found.profile == find_profile("qwen3-vl-8b")
    full = replace(H200, disk_free_gib=1.0)
    nothing = resolved("qwen", full, local("none of them"), lambda: True)
    assert nothing.profile == find_profile("mini")
    assert "no disk space to fetch them" in nothing.why


@pytest.mark.parametrize(
    ("host", "weights_of", "why"),
    [
        (CPU, nowhere, "no GPU here, and every profile that fits is too slow: the trained mini"),
        (CPU, local(), "no GPU here, and qwen3-vl-2b, whose weights are here, takes about 18 min"),
        (H200, nowhere, "the hub is off: the trained mini model on the GPU"),
        (H200, local("none of them"), "the hub does not answer: the trained mini model"),
        (
            replace(CPU, gpus=H200.gpus),
            local("none of them"),
            "a GPU is here, but the engine is the CPU build",
        ),
    ],
)
def test_otherwise_the_mini_model_plays_under_its_own_name(
    host: Hardware, weights_of: Callable[[Profile], Weights], why: str
) -> None:
    found = resolved("qwen", host, weights_of)
    assert found.profile == find_profile("mini")
    assert found.weights == bundled(find_profile("mini"))
    assert why in found.why
    assert "instead of 'qwen'" in found.why
    assert "\n" not in found.why


def test_without_the_files_of_the_mini_model_a_stand_in_plays_under_its_own_name() -> None:
    for alias, name in (("qwen", "stand-in"), ("yi", "stand-in-yi")):
        found = resolved(alias, CPU, without_mini)
        assert found.profile == find_profile(name)
        assert f"the untrained {name} on the CPU plays instead of {alias!r}" in found.why
    with pytest.raises(ServingError, match=r"no weights for 'mini': .* install the arena again"):
        resolved("mini", CPU, without_mini)


FOUR_CORES = replace(CPU, cores=4)


def test_without_a_gpu_the_largest_local_weights_that_are_quick_enough_play() -> None:
    found = resolved("qwen", FOUR_CORES, local(), never)
    assert found.profile == find_profile("qwen3-vl-2b")
    assert found.why.endswith("about 9 minutes for a short match")
    one = resolved("qwen", FOUR_CORES, local("qwen2-vl-2b", "qwen2.5-vl-3b"), never)
    assert one.profile == find_profile("qwen2-vl-2b")
    slow = resolved("qwen", CPU, local("qwen2-vl-2b"), never)
    assert slow.profile == find_profile("mini")
    assert "qwen2-vl-2b, whose weights are here, takes about 19 minutes" in slow.why
    assert slow.why.endswith("; its own name, qwen2-vl-2b, plays it")
    named = resolved("qwen2-vl-2b", CPU, local("qwen2-vl-2b"), never)
    assert named.profile == find_profile("qwen2-vl-2b")
    assert "which will be slow: about 19 minutes for a short match" in named.why


def test_two_models_on_one_cpu_have_half_of_its_cores_each() -> None:
    assert resolved("qwen", FOUR_CORES, local(), share=0.5).profile == find_profile("mini")


@pytest.mark.parametrize(
    ("host", "chosen"), [(H200, "qwen2.5-vl-72b-fp8"), (FOUR_CORES, "qwen3-vl-2b")]
)
def test_the_hub_is_asked_only_with_consent_and_otherwise_offered(
    host: Hardware, chosen: str
) -> None:
    asked = resolved("qwen", host, local("none"), lambda: True)
    assert asked.profile == find_profile(chosen)
    found = resolved("qwen", host, local("none"), never, may_fetch=False)
    assert found.profile == find_profile("mini")
    assert found.offer == offer_of(find_profile(chosen))
    assert "the hub is queried only with consent" in found.why
    assert found.why.endswith(f"`arena fetch {chosen}` or --fetch gets a real model")


def test_a_cpu_that_is_too_slow_is_told_how_to_get_a_real_model_all_the_same() -> None:
    found = resolved("qwen", CPU, local("none"), never, may_fetch=False)
    assert found.offer is None
    assert found.why.endswith(
        "`arena fetch qwen2-vl-2b` gets a real model (about 19 minutes for a short match)"
    )


def test_a_model_that_is_named_is_fetched_only_with_consent() -> None:
    with pytest.raises(ConsentNeeded) as caught:
        resolved("qwen2.5-vl-7b", H200, local("none"), never, may_fetch=False)
    assert caught.value.offer == offer_of(find_profile("qwen2.5-vl-7b"))
    assert str(caught.value) == (
        "no weights for 'qwen2.5-vl-7b' here; `arena fetch qwen2.5-vl-7b` or --fetch fetches "
        "Qwen/Qwen2.5-VL-7B-Instruct (15.4 GiB, about 14 min at 20 MB/s; licence: Apache-2.0)"
    )


def test_half_a_host_holds_a_smaller_model() -> None:
    assert resolved("qwen", RTX_4090, local(), share=0.5).profile == find_profile("qwen2-vl-2b")


@pytest.mark.parametrize("name", ["qwen", "yi", "qwen2.5-vl-7b", "my own"])
def test_an_endpoint_of_that_name_comes_before_everything(name: str) -> None:
    found = resolved(name, H200, local(), never, endpoints={name: endpoint(name)})
    assert (found.kind, found.endpoint, found.weights) == ("url", endpoint(name), None)
    assert found.profile == load_profiles().get(name)
    assert found.why == f"{name!r} is served at http://there:8000/v1"


def test_an_alias_is_served_by_the_endpoint_of_its_largest_profile() -> None:
    names = ("qwen2.5-vl-3b", "qwen2.5-vl-72b", "yi-vl-34b")
    endpoints = {name: endpoint(name) for name in names}
    found = resolved("qwen", CPU, endpoints=endpoints)
    assert found.endpoint == endpoint("qwen2.5-vl-72b")
    assert resolved("yi", CPU, endpoints=endpoints).endpoint == endpoint("yi-vl-34b")
    assert resolved("qwen3-vl", CPU, endpoints=endpoints).profile == find_profile("mini")


def test_a_url_is_taken_as_it_is_with_the_key_of_its_endpoint() -> None:
    found = resolved("http://there:8000/v1/#served", CPU, endpoints={"a": endpoint("a")})
    assert found.endpoint is not None
    assert (found.endpoint.url, found.endpoint.model) == ("http://there:8000/v1", "served")
    assert found.endpoint.key == KEY
    other = resolved("https://elsewhere/v1", CPU, endpoints={"a": endpoint("a")})
    assert other.endpoint is not None
    assert (other.endpoint.model, other.endpoint.key) == ("", "")


@pytest.mark.parametrize("name", ["yi-vl-6b", "stand-in-yi"])
@pytest.mark.parametrize(("host", "extra"), [(H200, "cuda"), (CPU, "cpu")])
def test_without_its_plugin_a_model_is_refused_with_what_to_do(
    name: str, host: Hardware, extra: str
) -> None:
    with pytest.raises(ServingError) as caught:
        resolved(name, replace(host, plugins=("another",)), local())
    assert _no_plugin(extra) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["yi", "yi-vl", "YI"])
@pytest.mark.parametrize(("host", "extra"), [(H200, "cuda"), (CPU, "cpu")])
def test_without_its_plugin_mini_plays_as_yi_with_what_to_do(
    name: str, host: Hardware, extra: str
) -> None:
    bare = replace(host, plugins=("another",))
    found = resolved(name, bare, local())
    assert found.profile == find_profile("mini")
    assert _no_plugin(extra) in found.why
    with pytest.raises(ServingError) as caught:
        resolved(name, bare, without_mini)
    assert _no_plugin(extra) in str(caught.value)


def _no_plugin(extra: str) -> str:
    return (
        "the vLLM plugin 'yi_vl' is not installed; install the arena's checkout again: "
        f"pip install -e '.[{extra}]'"
    )


def test_with_its_plugin_yi_is_the_largest_that_fits_and_has_weights_here() -> None:
    assert resolved("yi", H200, local(), never).profile == find_profile("yi-vl-34b")
    assert resolved("yi-vl", RTX_4090, local(), never).profile == find_profile("yi-vl-6b")
    assert resolved("yi", H200, local("yi-vl-6b"), never).profile == find_profile("yi-vl-6b")


@pytest.mark.parametrize(
    ("alias", "untrained"),
    [
        *(("qwen", "stand-in"), ("qwen2-vl", "stand-in"), ("qwen3-vl", "stand-in")),
        *(("yi", "stand-in-yi"), ("yi-vl", "stand-in-yi")),
    ],
)
def test_each_line_has_its_own_stand_in(alias: str, untrained: str) -> None:
    found = resolved(alias, CPU, without_mini)
    assert found.profile == find_profile(untrained)
    assert f"the untrained {untrained} on the CPU plays instead of {alias!r}" in found.why


@pytest.mark.parametrize("weights_of", [nowhere, without_mini])
def test_the_substitutes_of_both_lines_find_room_on_half_of_a_small_host_each(
    weights_of: Callable[[Profile], Weights],
) -> None:
    host = cpu_host(10.0)
    for alias in ("qwen", "yi"):
        found = resolved(alias, host, weights_of, share=0.5).profile
        assert found is not None
        assert found.stand_in == (weights_of is without_mini)
        assert found.is_substitute


def test_a_profile_asked_for_by_name_is_served_where_it_fits() -> None:
    found = resolved("qwen2.5-vl-3b", CPU, local(), never)
    assert found.profile == find_profile("qwen2.5-vl-3b")
    assert "which will be slow" in found.why
    assert resolved("stand-in", CPU, nowhere, never).profile == find_profile("stand-in")


@pytest.mark.parametrize(
    ("name", "host", "weights_of", "said"),
    [
        (
            "qwen2.5-vl-72b",
            H200,
            local(),
            "on 1 x NVIDIA H200: needs 165.9 GiB, 129.2 usable, 36.7 short",
        ),
        ("qwen2.5-vl-7b", CPU, local(), "on the CPU with 20.0 GiB of memory free: needs 22.4 GiB"),
        ("qwen2.5-vl-7b", H200, nowhere, "no weights for 'qwen2.5-vl-7b': looked in /models"),
        (
            "qwen2.5-vl-7b",
            H200,
            local("none"),
            "and the hub does not answer; put the files of Qwen/",
        ),
        ("qwen2.5-vl-7b", BARE, local(), "no vLLM is installed"),
        ("qwen", BARE, local(), "nothing to serve 'qwen' with: no vLLM is installed"),
        ("qwen", replace(BARE, engine="cuda"), local(), "CUDA build of vLLM is installed, but"),
        ("kwen", H200, local(), "no model 'kwen', did you mean 'qwen'? there are qwen, yi,"),
        ("http:///v1", H200, local(), "is not a server's URL"),
        (f"http://me:{KEY}@there/v1", H200, local(), "a key belongs into key_env"),
        ("http://there:99999/v1", H200, local(), "its host or port cannot be read"),
    ],
)
def test_what_cannot_be_played_is_one_line_with_its_reason(
    name: str, host: Hardware, weights_of: Callable[[Profile], Weights], said: str
) -> None:
    with pytest.raises(ServingError) as caught:
        resolved(name, host, weights_of)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert KEY not in str(caught.value)


def test_a_folder_that_is_not_whole_is_named_where_it_was_passed_over() -> None:
    def weights_of(profile: Profile) -> Weights:
        return Weights(path=profile.hub_id, origin="hub", broken="/models/m lacks 1 of 2 shards")

    found = resolved("qwen2.5-vl-7b", H200, weights_of, lambda: True)
    assert "(skipped: /models/m lacks 1 of 2 shards)" in found.why
    with pytest.raises(ServingError, match="skipped: /models/m lacks"):
        resolved("qwen2.5-vl-7b", H200, weights_of)


@given(
    name=st.sampled_from([*ALIASES, *load_profiles()]),
    host=st.sampled_from([*ALL.values(), BARE]),
    here=st.lists(st.sampled_from(list(load_profiles()))),
    hub=st.booleans(),
)
def test_a_model_is_never_given_another_ones_name(
    name: str, host: Hardware, here: list[str], hub: bool
) -> None:
    try:
        found = resolved(name, host, local(*here), lambda: hub)
    except ServingError:
        return
    assert found.profile is not None
    if name not in ALIASES:
        assert found.profile.name == name
    elif not found.profile.is_substitute:
        assert found.profile.family in ALIASES[name]
        assert found.profile.name in found.why
    else:
        assert f"the trained mini model on the {found_place(host)} plays instead of" in found.why


def found_place(host: Hardware) -> str:
    return "GPU" if host.engine == "cuda" else "CPU"


def test_this_process_variables_decide_what_is_here() -> None:
    text = json.dumps({"qwen": {"url": "http://there/v1", "model": "m", "key_env": "MY_KEY"}})
    environ = {"ARENA_ENDPOINTS": text, "MY_KEY": KEY}
    found = resolve_here("qwen", CPU, environ=environ)
    assert found.endpoint is not None
    assert found.endpoint.key == KEY
    with pytest.raises(ServingError, match=r"no weights for 'qwen2\.5-vl-3b'"):
        resolve_here("qwen2.5-vl-3b", CPU, environ={"HF_HUB_OFFLINE": "1", "HF_HOME": "/nowhere"})


def test_a_key_is_in_no_representation_and_no_reason() -> None:
    environ = {"ARENA_ENDPOINTS": json.dumps({"qwen": {"url": "http://x/v1", "key": KEY}})}
    found = resolve_here("qwen", CPU, environ=environ)
    assert KEY not in repr(found)
    assert KEY not in found.why
    assert KEY not in repr(load_endpoints(environ))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a": {"url": "http://x/v1", "key": "KEY"', "ARENA_ENDPOINTS: invalid json"),
        ('["KEY"]', "ARENA_ENDPOINTS: input should be an object"),
        ('{"a": "KEY"}', "ARENA_ENDPOINTS at 'a': input should be an object"),
        ('{"a": {"key": "KEY"}}', "ARENA_ENDPOINTS at 'a.url': field required"),
        ('{"a": {"url": "http://x/v1", "kee": "KEY"}}', "ARENA_ENDPOINTS at 'a.kee': extra inputs"),
        ('{"a": {"url": 3, "key": "KEY"}}', "at 'a.url': input should be a valid string"),
        ('{"a": {"url": "ftp://KEY", "key": "KEY"}}', "at 'a.url': wanted http(s)://HOST"),
        ('{"a": {"url": "http://u:KEY@x/v1"}}', "at 'a.url': a key belongs into key_env"),
        ('{"a": {"url": "http://x/v1", "key": "KEY", "key_env": "V"}}', "key or key_env, not both"),
        ('{"a": {"url": "http://x/v1", "key_env": "UNSET"}}', "the variable 'UNSET' is not set"),
    ],
)
def test_broken_endpoints_are_refused_exactly_and_without_the_key(text: str, said: str) -> None:
    with pytest.raises(ServingError) as caught:
        load_endpoints({"ARENA_ENDPOINTS": text.replace("KEY", KEY)})
    assert said in str(caught.value)
    assert KEY not in str(caught.value)
    assert caught.value.__cause__ is None, "a cause would show what was read"


@pytest.mark.parametrize("text", ["", "  ", "{}"])
def test_no_endpoints_are_none(text: str) -> None:
    assert load_endpoints({"ARENA_ENDPOINTS": text}) == {}
    assert load_endpoints({}) == {}


def test_a_shared_server_of_this_host_is_used_though_it_has_taken_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    full = gpu_host(gpu(0, "NVIDIA H200", 140.4, 9.0, used_gib=130.0))
    off = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path)}
    register(entry("qwen2.5-vl-7b", 8001))
    register(entry("qwen2.5-vl-32b", 8002, "--load-format", "dummy"))
    register(entry("qwen3-vl-8b", 8003, shared=False))
    assert set(find_shared_servers()) == {"qwen2.5-vl-7b"}
    for name in ("qwen", "qwen2.5-vl-7b"):
        found = resolve_here(name, full, environ=off)
        assert (found.kind, found.profile) == ("url", find_profile("qwen2.5-vl-7b"))
        assert found.endpoint is not None
        assert found.endpoint.url == "http://127.0.0.1:8001/v1"
    with pytest.raises(ServingError, match=r"'qwen2\.5-vl-32b' cannot be served on"):
        resolve_here("qwen2.5-vl-32b", full, environ=off)
