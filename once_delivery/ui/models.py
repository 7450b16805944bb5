"""Forms that were sent: a double click, or a page that is sent again, does nothing twice; and pages that answered one."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class FormSent(models.Model):
    """One form of one person that was carried out, and where its answer led; forgotten after a day."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    nonce = models.UUIDField()
    led_to = models.CharField(max_length=1000, default="")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "nonce"], name="form_sent_once")]

    def __str__(self) -> str:
        return str(self.nonce)


class AnswerPage(models.Model):
    """The page that refused a form, for whoever sent it; forgotten after an hour.

    ``token``, ``owner`` and ``path`` are fingerprints: an address may be a secret. ``sealed`` holds what was typed.
    """

    token = models.CharField(max_length=64, unique=True)
    owner = models.CharField(max_length=64)
    path = models.CharField(max_length=64)
    sealed = models.BinaryField(editable=False)
    at = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(fields=["owner", "path"], name="answer_page_by_owner"),
            models.Index(fields=["at"], name="answer_page_by_age"),
        ]

    def __str__(self) -> str:
        return self.token[:12]
