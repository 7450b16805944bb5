"""The tables of the message queue, for a broker in this database.

Installed whatever broker is set, so that changing ``CELERY_BROKER_URL`` needs no migration.
"""

from __future__ import annotations

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from pgmq.install import get_embedded_install_sql


def install(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT to_regnamespace('pgmq') IS NOT NULL")
        if not cursor.fetchone()[0]:  # an operator may have it as an extension
            cursor.execute(get_embedded_install_sql())


class Migration(migrations.Migration):
    initial = True
    dependencies = []
    operations = [migrations.RunPython(install, migrations.RunPython.noop, elidable=False)]
