"""Drafts as the targets hold them, what people decided about them, and the assets that follow."""

from __future__ import annotations

from once_delivery.review.models.assets import COUNTS_NO_MORE, Asset, Revocation, RevocationStatus
from once_delivery.review.models.drafts import Draft
from once_delivery.review.models.reviews import ApprovalLink, Reason, Review, Verdict
from once_delivery.review.models.talk import Comment, Seen
from once_delivery.review.models.visible import TO_DO, ReviewState, VisibleDraft

__all__ = [
    "COUNTS_NO_MORE",
    "TO_DO",
    "ApprovalLink",
    "Asset",
    "Comment",
    "Draft",
    "Reason",
    "Review",
    "ReviewState",
    "Revocation",
    "RevocationStatus",
    "Seen",
    "Verdict",
    "VisibleDraft",
]
