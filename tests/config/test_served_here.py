"""On the machine where make run serves the demo, other commands are told so: its CMS are inside."""

from __future__ import annotations

from pathlib import Path

from once_delivery.config.house.running import House, described, is_served_here, only_one


def test_while_a_house_runs_here_and_no_longer(tmp_path: Path) -> None:
    assert not is_served_here(tmp_path / "none")
    with only_one(tmp_path), described(tmp_path, House(1, "http://localhost:1", "http://127.0.0.1:2")):
        assert is_served_here(tmp_path)
    assert not is_served_here(tmp_path)


def test_what_a_killed_house_has_left_says_nothing(tmp_path: Path) -> None:
    with only_one(tmp_path):
        pass
    (tmp_path / "house.json").write_text('{"of": "another version"}', encoding="utf-8")
    assert not is_served_here(tmp_path)
