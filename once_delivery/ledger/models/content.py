"""What content is made for: products and their approved input versions."""

from __future__ import annotations

from datetime import UTC, datetime

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from once_delivery.accounts.models import Project
from once_delivery.common.moments import YEARS


class Product(models.Model):
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="products")
    code = models.CharField(_("code"), max_length=100)
    name = models.CharField(_("name"), max_length=300)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "code"], name="product_code_once_a_project")
        ]

    def __str__(self) -> str:
        return self.code


class InputVersion(models.Model):
    """An approved, immutable content brief of a product. PostgreSQL refuses any change (R9)."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+")
    product = models.ForeignKey(Product, on_delete=models.PROTECT, related_name="input_versions")
    number = models.PositiveIntegerField(_("number"))
    content = models.JSONField(_("content"))
    fingerprint = models.CharField(_("fingerprint"), max_length=64)
    approved_by = models.CharField(_("approved by"), max_length=200)
    approved_at = models.DateTimeField(_("approved at"))
    supersedes = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="superseded_by"
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["product", "number"], name="input_version_number_once_a_product"),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="input_version_number_from_one"),
            # PostgreSQL keeps moments that Python cannot read: one such row would stop every page that shows it
            models.CheckConstraint(
                condition=models.Q(
                    approved_at__gte=datetime(YEARS.start, 1, 1, tzinfo=UTC),
                    approved_at__lt=datetime(YEARS.stop, 1, 1, tzinfo=UTC),
                ),
                name="input_version_approved_in_our_times",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.product} v{self.number}"


class StoredFile(models.Model):
    """Bytes to upload, kept once a project by their hash."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+")
    sha256 = models.CharField(max_length=64)
    name = models.CharField(max_length=255)
    media_type = models.CharField(max_length=100)
    data = models.BinaryField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "sha256"], name="stored_file_once_a_project")
        ]

    def __str__(self) -> str:
        return self.name
