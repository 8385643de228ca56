"""Results here are JSON strings, as a runtime sends them; sizes are those of their UTF-8."""

import json

from hypothesis import given
from hypothesis import strategies as st

from server.debug.results import ResultStore

texts = st.text(st.characters(codec=None, exclude_categories=()), max_size=40)
results = st.lists(texts.map(lambda text: json.dumps(text, ensure_ascii=False)), max_size=60)


def bytes_of(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def stored(max_bytes: int, added: list[str]) -> ResultStore:
    store = ResultStore(max_bytes)
    for json_text in added:
        store.add(json_text)
    return store


@given(st.integers(1, 400), results)
def test_the_size_stays_within_the_bound_unless_the_first_and_the_last_alone_are_larger(
    max_bytes: int, added: list[str]
) -> None:
    kept = stored(max_bytes, added).snapshot().kept
    ends = {0, len(added) - 1} if added else set()
    assert sum(map(bytes_of, kept)) <= max(max_bytes, sum(bytes_of(added[index]) for index in ends))


@given(st.integers(1, 400), results)
def test_what_is_kept_is_the_beginning_and_the_end_in_order(max_bytes: int, added: list[str]) -> None:
    snapshot = stored(max_bytes, added).snapshot()
    kept_last = len(snapshot.kept) - snapshot.kept_first
    assert list(snapshot.kept) == added[: snapshot.kept_first] + added[len(added) - kept_last :]


@given(st.integers(1, 400), results)
def test_the_first_and_the_last_result_are_always_kept(max_bytes: int, added: list[str]) -> None:
    kept = stored(max_bytes, added).snapshot().kept
    assert (kept[:1], kept[-1:]) == (tuple(added[:1]), tuple(added[-1:]))


@given(st.integers(1, 400), results)
def test_the_counts_are_true(max_bytes: int, added: list[str]) -> None:
    snapshot = stored(max_bytes, added).snapshot()
    assert snapshot.hits == len(added)
    assert snapshot.omitted == len(added) - len(snapshot.kept)
    assert snapshot.omitted_bytes == sum(map(bytes_of, added)) - sum(map(bytes_of, snapshot.kept))


@given(results)
def test_nothing_is_left_out_while_there_is_room_for_all(added: list[str]) -> None:
    snapshot = stored(max(1, sum(map(bytes_of, added))), added).snapshot()
    assert snapshot.kept == tuple(added)
    assert snapshot.omitted == 0


def test_room_is_counted_in_bytes_and_not_in_characters() -> None:
    two_bytes_each = ["é" * 10] * 10
    assert stored(100, two_bytes_each).snapshot().omitted == 5


def test_a_single_result_larger_than_the_room_is_kept() -> None:
    huge = json.dumps("x" * 1000)
    assert stored(10, [huge]).snapshot().kept == (huge,)


def test_of_many_results_larger_than_the_room_the_first_and_the_last_are_kept() -> None:
    huge = [json.dumps(str(number) * 1000) for number in range(5)]
    snapshot = stored(10, huge).snapshot()
    assert snapshot.kept == (huge[0], huge[-1])
    assert (snapshot.kept_first, snapshot.omitted) == (1, 3)


def test_a_snapshot_does_not_change_when_more_comes() -> None:
    store = stored(100, ["1"])
    before = store.snapshot()
    store.add("2")
    assert before.kept == ("1",)
    assert store.snapshot().kept == ("1", "2")
