from __future__ import annotations

import os

from django.core.wsgi import get_wsgi_application

# a program that starts this one may have settings of its own
os.environ["DJANGO_SETTINGS_MODULE"] = "shop.settings"
application = get_wsgi_application()
