"""WordPress 6.8 (Debian 13's) on this machine's PHP: the contract and the races of updates, for drafts.

A smaller selection than for 6.1: files, recoveries and faults are tested there.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from once_delivery.targets.base import Kind
from once_delivery.targets.profile import Guard
from tests.real.systems.wordpress import WordPressServer, running_wordpress
from tests.real.targets.contract import Contract
from tests.real.targets.test_wordpress_updates import (  # noqa: F401 -- collected here once more, on this version
    test_a_plugin_that_is_too_old,
    test_a_published_post_is_left_to_a_person,
    test_edited_while_the_update_is_saved,
    test_many_updates_of_one_version_at_once,
    test_published_while_the_update_is_saved,
    test_what_loses_the_comparison_writes_nothing_at_all,
    test_what_was_changed_lately,
)
from tests.real.targets.updating import Updating
from tests.real.targets.wordpress_system import WordPressSystem

pytestmark = pytest.mark.real


@pytest.fixture(scope="module")
def wordpress(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WordPressServer]:
    with running_wordpress(tmp_path_factory.mktemp("wordpress-newer"), suite="trixie") as server:
        yield server


@pytest.fixture
def kind() -> Kind:
    return Kind.CREATE_DRAFT


@pytest.fixture(params=[Guard.CLIENT_ID, Guard.LOOKUP], ids=["plugin", "plain"])
def system(request: pytest.FixtureRequest, wordpress: WordPressServer) -> WordPressSystem:
    return WordPressSystem(wordpress, request.param)


@pytest.fixture
def plugged(wordpress: WordPressServer) -> WordPressSystem:
    return WordPressSystem(wordpress, Guard.CLIENT_ID)


class TestOnANewerVersion(Contract, Updating):
    """``system`` is the module's: with the plugin, and as it comes."""


def test_it_is_the_newer_version(wordpress: WordPressServer) -> None:
    major, minor = (int(part) for part in wordpress.plugged.version.split(".")[:2])
    assert (major, minor) >= (6, 8)
