"""Of drafts that are kept whole, the hash of what is read of them (0011). In small steps, so that review goes on meanwhile.

The rule stands here as it was then (`review/text.py`), whatever becomes of it.
"""

from __future__ import annotations

import hashlib
from typing import Any

import rfc8785
from django.db import migrations

CHUNK = 1000
NOT_READ = {"product", "locale", "purpose", "slug"}


def work_out(apps: Any, schema_editor: Any) -> None:
    """One that was cut, or emptied since, is left as it is: its whole content stands for its text."""
    drafts = apps.get_model("review", "Draft").objects
    last = 0
    while rows := list(
        drafts.filter(pk__gt=last).order_by("pk").only("content", "content_hash", "text_hash")[:CHUNK]
    ):
        last = rows[-1].pk
        for row in rows:
            if row.text_hash or not row.content or _hash_of(row.content) != row.content_hash:
                continue
            read = {name: text for name, text in row.content.items() if name not in NOT_READ}
            if any(text.strip() for text in read.values()):
                # another text may have been read meanwhile
                drafts.filter(pk=row.pk, content_hash=row.content_hash).update(text_hash=_hash_of(read))


def _hash_of(content: dict[str, str]) -> str:
    return hashlib.sha256(rfc8785.dumps(content)).hexdigest()


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("review", "0012_drills_are_not_reviewed")]

    operations = [migrations.RunPython(work_out, migrations.RunPython.noop)]
