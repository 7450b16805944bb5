"""Where a project wants to be told, and what is to be told: the row is the truth, sending it may be tried again (R12)."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from once_delivery.accounts.models import Project


class Channel(models.TextChoices):
    EMAIL = "email", _("e-mail")
    WEBHOOK = "webhook", _("webhook")


class Event(models.TextChoices):
    """What can be told. The values are part of webhooks and never change."""

    CASE_OPENED = "case.opened", _("a case was opened")
    CASE_HALF = "case.half", _("half of a case's time is over")
    CASE_MOST = "case.most", _("most of a case's time is over")
    CASE_OVERDUE = "case.overdue", _("a case is overdue")
    CASE_HANDED = "case.handed", _("a case was handed over")
    APPROVAL_ASKED = "approval.asked", _("the client's approval is asked for")
    APPROVAL_GIVEN = "approval.given", _("the client approved")
    APPROVAL_DENIED = "approval.denied", _("the client did not approve")
    DELIVERY_CONFIRMED = "delivery.confirmed", _("a delivery is confirmed")
    DELIVERY_UNCERTAIN = "delivery.uncertain", _("a delivery is uncertain")
    DELIVERY_PERSON = "delivery.person", _("a delivery needs a person")
    DELIVERY_REFUSED = "delivery.refused", _("a delivery is refused by the target")
    INVITED = "member.invited", _("somebody is invited")
    ROUTE_TEST = "route.test", _("a test of this route")
    PASSWORD_RESET = "password.reset", _("a new password is asked for")
    EMAIL_CHANGE = "account.email", _("another e-mail address is to be verified")


# what a route may carry; the rest goes to one person, or when it is asked for
_TO_ONE = frozenset({Event.ROUTE_TEST, Event.PASSWORD_RESET, Event.EMAIL_CHANGE})
ROUTED = tuple(event for event in Event if event not in _TO_ONE)


class Route(models.Model):
    """One place that a project's events go to."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="notice_routes")
    channel = models.CharField(_("way"), max_length=10, choices=Channel.choices)
    address = models.CharField(_("address"), max_length=500)
    events = models.JSONField(_("events"), default=list)
    secret_sealed = models.BinaryField(default=b"", editable=False)  # of a webhook's signature
    active = models.BooleanField(_("in use"), default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "channel", "address"], name="route_once_an_address"),
            models.CheckConstraint(condition=Q(channel__in=Channel.values), name="route_channel_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.channel} {self.uuid}"  # never the address: a webhook's has its secret in it


class Message(models.Model):
    """One thing to tell to one place. ``uuid`` is what a receiver knows it by when it comes twice."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    # none: it is about a person, whatever projects they are in
    project = models.ForeignKey(Project, on_delete=models.CASCADE, null=True, related_name="messages")
    route = models.ForeignKey(Route, on_delete=models.SET_NULL, null=True, related_name="messages")
    channel = models.CharField(_("way"), max_length=10, choices=Channel.choices)
    address = models.CharField(_("address"), max_length=500)
    event = models.CharField(_("event"), max_length=40, choices=Event.choices)
    subject = models.CharField(_("subject"), max_length=300, blank=True)
    text = models.TextField(_("text"), blank=True)
    # instead of the text where it opens a door; thrown away when it was sent
    text_sealed = models.BinaryField(default=b"", editable=False)
    data = models.JSONField(default=dict)
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)
    next_try_at = models.DateTimeField(_("next try at"), null=True)
    tries = models.PositiveSmallIntegerField(_("tries"), default=0)
    sent_at = models.DateTimeField(_("sent at"), null=True)
    given_up_at = models.DateTimeField(_("given up at"), null=True)
    error = models.CharField(_("what went wrong"), max_length=200, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(next_try_at__isnull=False, sent_at__isnull=True, given_up_at__isnull=True)
                | Q(next_try_at__isnull=True, sent_at__isnull=False, given_up_at__isnull=True)
                | Q(next_try_at__isnull=True, sent_at__isnull=True, given_up_at__isnull=False),
                name="message_waits_or_is_over",
            )
        ]
        indexes = [
            models.Index(fields=["next_try_at"], name="message_due", condition=Q(next_try_at__isnull=False)),
            models.Index(fields=["project", "-created_at"], name="message_latest"),
            models.Index(
                fields=["next_try_at", "given_up_at"],
                name="message_unsent",
                condition=Q(sent_at__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.uuid}"
