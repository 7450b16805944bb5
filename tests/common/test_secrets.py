from __future__ import annotations

import pytest
from pytest_django.fixtures import Settings

from once_delivery.common import secrets

CREDENTIALS = {"token": "t0p-secret", "username": "王芳"}


def test_sealed_credentials_can_be_opened_and_not_read() -> None:
    sealed = secrets.seal(CREDENTIALS)
    assert b"t0p" not in sealed
    assert secrets.unseal(sealed) == CREDENTIALS
    assert secrets.unseal(memoryview(sealed)) == CREDENTIALS
    assert secrets.seal(CREDENTIALS) != sealed


def test_no_credentials_are_nothing() -> None:
    assert secrets.seal({}) == b""
    assert secrets.unseal(b"") == {}


def test_the_first_key_seals_and_all_open(settings: Settings) -> None:
    old, new = secrets.new_key(), secrets.new_key()
    settings.ONCE_SECRET_KEYS = old
    sealed = secrets.seal(CREDENTIALS)
    settings.ONCE_SECRET_KEYS = f"{new}, {old}"
    assert secrets.unseal(sealed) == CREDENTIALS
    again = secrets.resealed(sealed)
    settings.ONCE_SECRET_KEYS = [new]
    assert secrets.unseal(again) == CREDENTIALS
    with pytest.raises(secrets.SealedWithOtherKeyError) as caught:
        secrets.unseal(sealed)
    assert caught.value.code == "secret-unreadable"


def test_the_environment_is_read_where_the_setting_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("django.conf.settings.ONCE_SECRET_KEYS", None, raising=False)
    monkeypatch.setenv("ONCE_SECRET_KEYS", secrets.new_key())
    sealed = secrets.seal(CREDENTIALS)
    monkeypatch.setenv("ONCE_SECRET_KEYS", secrets.new_key())
    with pytest.raises(secrets.SealedWithOtherKeyError):
        secrets.unseal(sealed)


def test_keys_of_one_s_own_can_be_set_later(settings: Settings) -> None:
    settings.ONCE_SECRET_KEYS = ()
    sealed = secrets.seal(CREDENTIALS)
    settings.ONCE_SECRET_KEYS = secrets.new_key()
    assert secrets.unseal(sealed) == CREDENTIALS


def test_django_s_key_can_be_rotated(settings: Settings) -> None:
    settings.ONCE_SECRET_KEYS = ()
    sealed = secrets.seal(CREDENTIALS)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another"
    assert secrets.unseal(sealed) == CREDENTIALS
    settings.SECRET_KEY_FALLBACKS = []
    with pytest.raises(secrets.SealedWithOtherKeyError):
        secrets.unseal(sealed)


def test_a_damaged_seal(settings: Settings) -> None:
    sealed = secrets.seal(CREDENTIALS)
    with pytest.raises(secrets.SealedWithOtherKeyError):
        secrets.unseal(sealed[:-1])


def test_a_later_format() -> None:
    with pytest.raises(secrets.SealedByNewerVersionError) as caught:
        secrets.unseal(b"2:abc")
    assert caught.value.code == "secret-version"


def test_a_bad_key_is_named_by_its_place_and_not_shown(settings: Settings) -> None:
    settings.ONCE_SECRET_KEYS = f"{secrets.new_key()},not-a-key"
    with pytest.raises(secrets.BadSecretKeyError) as caught:
        secrets.seal(CREDENTIALS)
    assert "2" in caught.value.message
    assert "not-a-key" not in str(caught.value)


def test_credentials_are_texts() -> None:
    with pytest.raises(secrets.BadCredentialsError):
        secrets.seal({"port": 1})  # type: ignore[dict-item]
