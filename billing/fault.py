"""Whose fault a cost is, and who bears it (ACCOUNTING sections 7 and 8). Pure: facts in, cause and bearer out."""

from __future__ import annotations

from collections.abc import Mapping

from billing.models import Bearer, Cause, Terms

DEFAULT_BEARERS: Mapping[Cause, Bearer] = {
    Cause.NORMAL: Bearer.CLIENT,
    Cause.CLIENT_CHANGE: Bearer.CLIENT,
    Cause.CLIENT_CANCEL: Bearer.CLIENT,
    Cause.CLIENT_DUPLICATE: Bearer.CLIENT,
    Cause.CLIENT_CONFIRMED_REPEAT: Bearer.CLIENT,
    Cause.VENDOR_FAULT: Bearer.VENDOR,
    Cause.PLATFORM_RETRY: Bearer.VENDOR,
    Cause.DEDUPE_MISS: Bearer.VENDOR,
    Cause.PROVIDER_FAULT: Bearer.PROVIDER,
    Cause.PROVIDER_DOUBLE_BILL: Bearer.PROVIDER,
    Cause.UNDETERMINED: Bearer.UNDETERMINED,
}
# whatever the terms say: the client never bears these, and what nobody has judged is borne by nobody yet
NEVER_CLIENT = frozenset({Cause.VENDOR_FAULT, Cause.PLATFORM_RETRY, Cause.DEDUPE_MISS})


def bearer_of(cause: Cause, terms: Terms | None) -> Bearer:
    """Who bears a cost of ``cause`` under ``terms``; what they do not name, or may not decide, is as by default."""
    default = DEFAULT_BEARERS[cause]
    if cause is Cause.UNDETERMINED:
        return default
    named = Bearer(terms.bearers.get(cause.value, default.value)) if terms else default
    return default if cause in NEVER_CLIENT and named is Bearer.CLIENT else named


def bearer_of_fee(terms: Terms | None) -> Bearer:
    """Who bears the fixed platform fee: the client unless the terms say otherwise."""
    return Bearer(terms.platform_fee_bearer) if terms else Bearer.CLIENT
