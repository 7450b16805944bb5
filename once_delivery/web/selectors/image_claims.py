"""The parameter of an image's address: which draft, which image; signed, so that nobody asks us for others."""

from __future__ import annotations

from django.core.signing import BadSignature, Signer

_SIGNER = Signer(salt="once_delivery.web.review-image")


def image_claim(draft_id: int, address: str) -> str:
    """For the address of an image of this draft."""
    return _SIGNER.sign_object([draft_id, address], compress=True)


def claimed_image(claim: str) -> tuple[int, str] | None:
    """The draft and the image's address; None for a claim that is not ours."""
    try:
        draft_id, address = _SIGNER.unsign_object(claim)
    except (BadSignature, ValueError):
        return None
    return int(draft_id), str(address)
