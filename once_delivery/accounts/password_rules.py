"""How long a password must be, said in every language of the house (Django's own sentence lacks its Chinese)."""

from __future__ import annotations

from django.contrib.auth.password_validation import MinimumLengthValidator
from django.utils.translation import ngettext


class LongEnoughValidator(MinimumLengthValidator):
    """Django's rule with our words."""

    min_length: int

    def get_error_message(self) -> str:
        """What is wrong with a shorter one."""
        said = ngettext(
            "This password is too short: it needs at least %(count)s character.",
            "This password is too short: it needs at least %(count)s characters.",
            self.min_length,
        )
        return said % {"count": self.min_length}
