"""What amounts are worked out with: exchange rates, prices, rate cards, fees. Append-only, with dates and a source.

Among the rows of one key that are valid on a day, the latest ``valid_from`` holds; among those, the one saved last.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from once_delivery.accounts.models import Project


class FxRate(models.Model):
    """One unit of ``currency`` in ``into`` on a day, as a source published it."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="fx_rates", db_index=False)
    currency = models.CharField(_("currency"), max_length=3)
    into = models.CharField(_("into"), max_length=3)
    day = models.DateField(_("day"))
    rate = models.DecimalField(_("rate"), max_digits=20, decimal_places=10)
    source = models.CharField(_("source"), max_length=100)
    imported_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "currency", "into", "day", "source", "rate"], name="fx_rate_said_once"
            ),
            models.CheckConstraint(condition=Q(rate__gt=0), name="fx_rate_is_positive"),
        ]

    def __str__(self) -> str:
        return f"{self.currency}/{self.into} {self.day}"


class PriceVersion(models.Model):
    """What a provider asks for one unit of a model, from a day on. It estimates; it never settles."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="prices", db_index=False)
    provider = models.CharField(_("provider"), max_length=50)
    model = models.CharField(_("model"), max_length=200, blank=True)  # "" any
    unit = models.CharField(_("unit"), max_length=60)
    price = models.DecimalField(_("price of a unit"), max_digits=30, decimal_places=12)
    currency = models.CharField(_("currency"), max_length=3)
    valid_from = models.DateField(_("valid from"))
    valid_until = models.DateField(_("valid until"), null=True, blank=True)  # inclusive; None: until another
    source = models.CharField(_("source"), max_length=300)
    saved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(price__gte=0), name="price_is_not_negative"),
        ]
        indexes = [
            models.Index(fields=["project", "provider", "model", "unit", "valid_from"], name="price_on_a_day")
        ]

    def __str__(self) -> str:
        return f"{self.provider} {self.model} {self.price}"


class RateCard(models.Model):
    """What an hour of manual work costs, from a day on; ``role`` "" is for whoever has no line of their own."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="rate_cards", db_index=False)
    role = models.CharField(_("role"), max_length=20, blank=True)
    hourly = models.DecimalField(_("an hour"), max_digits=18, decimal_places=6)
    currency = models.CharField(_("currency"), max_length=3)
    valid_from = models.DateField(_("valid from"))
    saved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(hourly__gte=0), name="rate_card_is_not_negative"),
        ]
        indexes = [models.Index(fields=["project", "role", "valid_from"], name="rate_card_on_a_day")]

    def __str__(self) -> str:
        return f"{self.hourly} {self.currency}"


class PlatformFee(models.Model):
    """What platform or orchestration costs: a fixed amount a month, or one for each attempt."""

    class Per(models.TextChoices):
        MONTH = "month", _("a month")
        ATTEMPT = "attempt", _("an attempt")

    project = models.ForeignKey(
        Project, on_delete=models.PROTECT, related_name="platform_fees", db_index=False
    )
    code = models.SlugField(_("code"), max_length=50)
    sub_bucket = models.CharField(
        _("what for"),
        max_length=14,
        choices=[("platform", _("platform")), ("orchestration", _("orchestration"))],
    )
    per = models.CharField(_("for"), max_length=8, choices=Per.choices)
    amount = models.DecimalField(_("amount"), max_digits=18, decimal_places=6)
    currency = models.CharField(_("currency"), max_length=3)
    valid_from = models.DateField(_("valid from"))
    valid_until = models.DateField(_("valid until"), null=True, blank=True)
    saved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(amount__gte=0), name="platform_fee_is_not_negative"),
        ]
        indexes = [models.Index(fields=["project", "code", "valid_from"], name="platform_fee_on_a_day")]

    def __str__(self) -> str:
        return self.code
