"""The parameter of an image's address: of which draft or case, which image; signed, so that nobody asks us for others."""

from __future__ import annotations

from django.core.signing import BadSignature, Signer

_SIGNER = Signer(salt="once_delivery.web.review-image")
_OF_CASES = Signer(salt="once_delivery.web.case-image")


def image_claim(draft_id: int, address: str) -> str:
    """For the address of an image of this draft."""
    return _SIGNER.sign_object([draft_id, address], compress=True)


def claimed_image(claim: str) -> tuple[int, str] | None:
    """The draft and the image's address; None for a claim that is not ours."""
    return _claimed(_SIGNER, claim)


def candidate_claim(case_id: int, address: str) -> str:
    """For the address of an image that was found at the target for this case."""
    return _OF_CASES.sign_object([case_id, address], compress=True)


def claimed_candidate(claim: str) -> tuple[int, str] | None:
    """The case and the image's address; None for a claim that is not ours."""
    return _claimed(_OF_CASES, claim)


def _claimed(signer: Signer, claim: str) -> tuple[int, str] | None:
    try:
        of, address = signer.unsign_object(claim)
    except (BadSignature, ValueError):
        return None
    return int(of), str(address)
