"""Answers that are kept for a while, so that a repeated request gets the same one (Idempotency-Key)."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from once_delivery.accounts.models import ApiToken


class KeptAnswer(models.Model):
    """One key of one token. Without ``status`` its request is still under way."""

    token = models.ForeignKey(ApiToken, on_delete=models.CASCADE, related_name="+", db_index=False)
    key = models.CharField(max_length=255)
    fingerprint = models.CharField(max_length=64)  # of method, path and body
    begun_at = models.DateTimeField()
    status = models.PositiveSmallIntegerField(null=True)
    media_type = models.CharField(max_length=100, blank=True)
    body_sealed = models.BinaryField(default=b"", editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["token", "key"], name="kept_answer_once_a_key"),
            models.CheckConstraint(
                condition=Q(status__isnull=True) | ~Q(media_type=""), name="kept_answer_has_media_type"
            ),
        ]
        indexes = [models.Index(fields=["begun_at"], name="kept_answer_by_age")]

    def __str__(self) -> str:
        return self.key
