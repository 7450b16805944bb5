"""What gunicorn serves."""

from __future__ import annotations

import os

from django.core.wsgi import get_wsgi_application

from once_delivery.config.charset import PlainCharset

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "once_delivery.config.settings")

application = PlainCharset(get_wsgi_application())
