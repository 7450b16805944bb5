"""What providers said that attempts used, pulled from receipts, observations and reports; and what has no price yet."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from once_delivery.accounts.models import Project
from once_delivery.ledger.models import Attempt, Task


class Usage(models.Model):
    """One provider request of one attempt. ``amount`` is what the provider's answer said, if it did (grade C)."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="usages", db_index=False)
    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="+", db_index=False)
    attempt = models.ForeignKey(Attempt, on_delete=models.PROTECT, related_name="+")
    source_key = models.CharField(max_length=200)  # receipt:17, observation:4:0, report:9
    provider = models.CharField(_("provider"), max_length=50)
    model = models.CharField(_("model"), max_length=200, blank=True)
    request_id = models.CharField(_("request ID"), max_length=300, blank=True)
    job_id = models.CharField(_("job ID"), max_length=300, blank=True)  # some bill by it
    idempotency_key = models.CharField(max_length=300, blank=True)
    used_at = models.DateTimeField(_("used at"))
    units = models.DecimalField(_("units"), max_digits=30, decimal_places=12, null=True)
    unit = models.CharField(_("unit"), max_length=60, blank=True)
    amount = models.DecimalField(_("amount"), max_digits=30, decimal_places=12, null=True)
    currency = models.CharField(_("currency"), max_length=3, blank=True)
    # no amount and no price: its cost is unknown, never zero; counted beside every total
    priced = models.BooleanField(_("has a price"), default=False)
    settled = models.BooleanField(_("the supplier's line has come"), default=False)
    replaced = models.BooleanField(
        _("told better since"), default=False
    )  # by another row of the same request

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "source_key"], name="usage_once_a_source"),
            models.CheckConstraint(
                condition=Q(amount__isnull=True, currency="") | (Q(amount__isnull=False) & ~Q(currency="")),
                name="usage_amount_has_currency",
            ),
        ]
        indexes = [
            models.Index(
                fields=["project", "request_id"], name="usage_by_request", condition=~Q(request_id="")
            ),
            models.Index(fields=["project", "job_id"], name="usage_by_job", condition=~Q(job_id="")),
            models.Index(fields=["project", "used_at"], name="usage_unpriced", condition=Q(priced=False)),
            models.Index(
                fields=["project", "used_at", "id"], name="usage_unsettled", condition=Q(settled=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.provider} {self.request_id}"
