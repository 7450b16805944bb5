"""Forms that were sent: a double click, or a page that is sent again, does nothing twice."""

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
