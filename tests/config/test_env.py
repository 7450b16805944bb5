from __future__ import annotations

from pathlib import Path

import pytest

from once_delivery.common.operator_error import OperatorError
from once_delivery.config.env import Env


@pytest.mark.parametrize(
    ("value", "expected"),
    [("1", True), ("True", True), ("on", True), ("0", False), ("no", False), ("", False)],
)
def test_boolean_words(value: str, expected: bool) -> None:
    assert Env({"X": value}).boolean("X", default=not expected) is expected


def test_a_wrong_boolean_names_the_variable_and_what_was_expected() -> None:
    with pytest.raises(OperatorError) as caught:
        Env({"ONCE_DEBUG": "perhaps"}).boolean("ONCE_DEBUG", default=False)
    assert caught.value.code == "setting-invalid"
    assert caught.value.en == "ONCE_DEBUG must be 1 or 0 (true, false, yes, no, on, off); got 'perhaps'."
    assert caught.value.zh == "ONCE_DEBUG 必须是1 或 0（true、false、yes、no、on、off），实际为 'perhaps'。"


@pytest.mark.parametrize("value", ["ten", "1.5", "-1", "99999999999"])
def test_a_wrong_number_is_refused(value: str) -> None:
    with pytest.raises(OperatorError, match="setting-invalid"):
        Env({"X": value}).integer("X", 1)


def test_a_missing_value_without_default_is_refused() -> None:
    with pytest.raises(OperatorError, match="setting-missing"):
        Env({}).text("X")
    with pytest.raises(OperatorError, match="setting-missing"):
        Env({"X": "  "}).secret("X")


def test_a_secret_comes_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.write_text("s3cret\n", encoding="utf-8")
    assert Env({"X_FILE": str(file)}).secret("X") == "s3cret"


def test_a_secret_set_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OperatorError, match="setting-twice"):
        Env({"X": "a", "X_FILE": str(tmp_path)}).secret("X")


@pytest.mark.parametrize("content", [None, b"", b"\xff\xfe"])
def test_a_secret_file_that_cannot_be_read_is_refused(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "secret"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(OperatorError, match="X_FILE must be"):
        Env({"X_FILE": str(file)}).secret("X")


def test_a_wrong_address_is_refused_without_showing_it() -> None:
    with pytest.raises(OperatorError) as caught:
        Env({"CELERY_BROKER_URL": "kafka://user:hunter2@host"}).url(
            "CELERY_BROKER_URL", schemes=("amqp", "redis")
        )
    assert "amqp://, redis://" in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_words_are_split_and_stripped() -> None:
    assert Env({"X": " a, ,b "}).words("X") == ["a", "b"]
