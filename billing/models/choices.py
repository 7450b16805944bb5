"""The words of accounting: kinds, buckets, causes, bearers, grades. Each list is a constraint in PostgreSQL too."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class EntryKind(models.TextChoices):
    """Why an entry stands in the ledger of costs; ``billing/sql/entries.sql`` keeps each one's sign."""

    CHARGE = "charge", _("charge")
    ACCRUAL = "accrual", _("accrual")
    ACCRUAL_RELEASE = "accrual_release", _("release of an accrual")
    REVERSAL = "reversal", _("reversal")
    SUPPLIER_CREDIT = "supplier_credit", _("supplier's credit")
    ALLOCATION_OUT = "allocation_out", _("allocated away")
    ALLOCATION_IN = "allocation_in", _("allocated here")
    BEARER_TRANSFER = "bearer_transfer", _("change of bearer")
    FX_DIFF = "fx_diff", _("exchange difference")
    WRITE_OFF_CLAIM = "write_off_claim", _("claim given up")
    LABOUR = "labour", _("manual work")


class Bucket(models.TextChoices):
    """The three summands of the numerator."""

    PLATFORM = "P", _("platform and orchestration")
    THIRD_PARTY = "T", _("third party")
    RECOVERY = "R", _("manual recovery and cleanup")


class SubBucket(models.TextChoices):
    """Columns of the per-asset report; each belongs to one bucket (``BUCKET_OF``)."""

    PLATFORM = "platform", _("platform")
    ORCHESTRATION = "orchestration", _("orchestration")
    GENERATION = "generation", _("generation")
    STORAGE = "storage", _("storage")
    OTHER = "other", pgettext_lazy("cost", "other")
    RECOVERY = "recovery", _("recovery")
    CLEANUP = "cleanup", _("cleanup")


BUCKET_OF = {
    SubBucket.PLATFORM: Bucket.PLATFORM,
    SubBucket.ORCHESTRATION: Bucket.PLATFORM,
    SubBucket.GENERATION: Bucket.THIRD_PARTY,
    SubBucket.STORAGE: Bucket.THIRD_PARTY,
    SubBucket.OTHER: Bucket.THIRD_PARTY,
    SubBucket.RECOVERY: Bucket.RECOVERY,
    SubBucket.CLEANUP: Bucket.RECOVERY,
}


class Cause(models.TextChoices):
    """Why the cost came about; the terms say who bears each cause."""

    NORMAL = "normal", pgettext_lazy("cause", "normal")
    CLIENT_CHANGE = "client_change", _("client's change")
    CLIENT_CANCEL = "client_cancel", _("client's cancellation")
    CLIENT_DUPLICATE = "client_duplicate", _("client's duplicate")
    CLIENT_CONFIRMED_REPEAT = "client_confirmed_repeat", _("repeat that the client confirmed")
    VENDOR_FAULT = "vendor_fault", _("vendor's fault")
    PLATFORM_RETRY = "platform_retry", _("platform's retry")
    DEDUPE_MISS = "dedupe_miss", _("missed duplicate")
    PROVIDER_FAULT = "provider_fault", _("provider's fault")
    PROVIDER_DOUBLE_BILL = "provider_double_bill", _("billed twice by the provider")
    UNDETERMINED = "undetermined", pgettext_lazy("cause", "undetermined")


class Bearer(models.TextChoices):
    """Who bears a cost. ``PROVIDER`` is an open claim."""

    CLIENT = "client", pgettext_lazy("bearer", "client")
    VENDOR = "vendor", pgettext_lazy("bearer", "vendor")
    PROVIDER = "provider", pgettext_lazy("bearer", "claim on the provider")
    UNDETERMINED = "undetermined", pgettext_lazy("bearer", "undetermined")


class Grade(models.TextChoices):
    """How good the evidence of an amount is, best first."""

    INVOICE = "A", _("invoice line")
    BILLING_EVENT = "B", _("provider's billing event")
    ANSWER = "C", _("cost in the provider's answer")
    PRICED = "D", _("usage at a dated price")
    ESTIMATE = "E", _("estimate by hand")


class Tax(models.TextChoices):
    """Recoverable tax is outside the cost; the other kind follows its base amount."""

    NONE = "none", pgettext_lazy("tax", "none")
    RECOVERABLE = "recoverable", _("recoverable tax, outside the cost")
    NON_RECOVERABLE = "non_recoverable", _("tax that cannot be recovered")
