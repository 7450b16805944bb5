from __future__ import annotations

from tests.web.access.row import Row

ROWS = [
    Row("web:home", stranger=200),
    Row("web:sign-in", anonymous=200, member=302, stranger=302),
    Row("web:sign-out", anonymous=405, member=405, stranger=405),
    # 302: nobody here has a second factor that could be asked for
    Row("web:second-factor", member=302, stranger=302),
    Row("web:second-factor-setup", member=302, stranger=302),
    Row("web:second-factor-setup", stranger=200, confirmed=True),
    Row("web:second-factor-setup", method="post", member=422, stranger=422, confirmed=True),
    Row("web:confirm", stranger=200),
    Row("web:confirm", method="post", member=422, stranger=422),
    Row("web:language", method="post", member=302, stranger=302),
    Row("web:theme", method="post", member=302, stranger=302),
    Row("web:live", anonymous=200, stranger=200),
    Row("web:ready", anonymous=200, stranger=200),
    Row("web:metrics", anonymous=200, stranger=200),
]
