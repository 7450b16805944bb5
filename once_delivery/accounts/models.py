"""People and tenants: who exists, which project (the tenant) they belong to, and as what."""

from __future__ import annotations

import uuid

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _


class User(AbstractUser):
    """A person who signs in."""

    language = models.CharField(_("language"), max_length=16, blank=True)
    timezone = models.CharField(_("time zone"), max_length=64, blank=True)


class Client(models.Model):
    """A brand that content is made for."""

    name = models.CharField(_("name"), max_length=200, unique=True)

    def __str__(self) -> str:
        return self.name


class Project(models.Model):
    """One contract with a client; the tenant: every row belongs to one project."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    client = models.ForeignKey(Client, on_delete=models.PROTECT, related_name="projects")
    code = models.SlugField(_("code"), max_length=50, unique=True)
    name = models.CharField(_("name"), max_length=200)
    # R13: nothing rests without an owner, so a project cannot be without one
    default_owner = models.ForeignKey(
        User, on_delete=models.PROTECT, related_name="+", verbose_name=_("default owner")
    )
    stand_in_owner = models.ForeignKey(
        User, on_delete=models.PROTECT, related_name="+", verbose_name=_("stand-in")
    )
    timezone = models.CharField(_("time zone"), max_length=64, default="Asia/Shanghai")
    case_hours = models.PositiveSmallIntegerField(_("hours to decide a case"), default=8)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class Role(models.TextChoices):
    VIEWER = "viewer", _("viewer")
    MARKETING_LEAD = "marketing_lead", _("marketing lead")
    OPS_OWNER = "ops_owner", _("ops owner")
    FINANCE = "finance", _("finance")
    CLIENT_APPROVER = "client_approver", _("client approver")
    ADMIN = "admin", _("admin")


class Membership(models.Model):
    """A person is a member of a project in one role."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(_("role"), max_length=20, choices=Role.choices)
    # an absent member's cases pass on to the stand-in until this time
    absent_until = models.DateTimeField(_("absent until"), null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "user"], name="membership_one_per_person"),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="membership_role_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user} · {self.project}"
