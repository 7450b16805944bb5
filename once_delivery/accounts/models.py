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
    requires_second_factor = models.BooleanField(_("a second factor is required"), default=False)
    case_hours = models.PositiveSmallIntegerField(_("hours to decide a case"), default=8)
    # decisions about cases that the contract leaves to the client, beyond those that always are; written by ``agree``
    needs_client = models.JSONField(default=list, db_default=models.Value([], models.JSONField()))
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


class Invitation(models.Model):
    """Lets somebody become a member by a link; only the hash of its secret is kept."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="invitations")
    email = models.EmailField(_("e-mail"))
    role = models.CharField(_("role"), max_length=20, choices=Role.choices)
    secret_hash = models.CharField(max_length=64, unique=True)
    invited_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)
    expires_at = models.DateTimeField(_("valid until"))
    accepted_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    accepted_at = models.DateTimeField(_("accepted at"), null=True)
    revoked_at = models.DateTimeField(_("revoked at"), null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="invitation_role_is_known"),
            models.UniqueConstraint(
                fields=["project", "email"],
                condition=models.Q(accepted_at__isnull=True, revoked_at__isnull=True),
                name="invitation_one_open_an_address",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.email} · {self.project}"


class ApiToken(models.Model):
    """What a program signs in with: bound to one project and role, shown once, kept as a hash."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(_("name"), max_length=100)
    role = models.CharField(_("role"), max_length=20, choices=Role.choices)
    beginning = models.CharField(_("begins with"), max_length=12)  # to tell one from another
    secret_hash = models.CharField(max_length=64, unique=True)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)
    expires_at = models.DateTimeField(_("valid until"))
    last_used_at = models.DateTimeField(_("last used at"), null=True)
    revoked_at = models.DateTimeField(_("revoked at"), null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="api_token_role_is_known")
        ]

    def __str__(self) -> str:
        return f"{self.name} · {self.project}"


class Visit(models.Model):
    """One signed-in browser of a person; ended, its session is gone."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="visits")
    session_key = models.CharField(max_length=40, unique=True)
    browser = models.CharField(_("browser"), max_length=300, blank=True)
    began_at = models.DateTimeField(_("signed in at"), auto_now_add=True)
    seen_at = models.DateTimeField(_("last seen at"), auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.user} {self.began_at}"
