"""What is claimed of a target is said in words, in both languages."""

from __future__ import annotations

import pytest
from django.utils import translation

from once_delivery.targets.probing.findings import Claim
from once_delivery.targets.profile_words import claim_words


@pytest.mark.parametrize(
    ("claim", "claimed", "english", "chinese"),
    [
        (Claim.GUARD, "lookup", "look-up", "查证"),
        (Claim.AT_ONCE, "client_id", "client-chosen ID", "我方定 ID"),
        (Claim.LOOK_UP, "true", "yes", "是"),
        (Claim.ABSENCE, "false", "no", "否"),
        (Claim.CONSISTENCY, "bounded", "within a lag", "延迟"),
        (Claim.WINDOW, "86400", "24 h", "24"),
        (Claim.INDEX_LAG, "0.5", "0.5 s", "0.5"),
        (Claim.UPDATE, "version", "only of the version that it is for", "版本"),
        (Claim.REMOVED, "", "", ""),
    ],
)
def test_a_claim_in_words(claim: Claim, claimed: str, english: str, chinese: str) -> None:
    with translation.override("en"):
        assert claim_words(claim, claimed) == english
    with translation.override("zh-hans"):
        said = claim_words(claim, claimed)
    assert chinese in said
    assert bool(said) == bool(claimed)
