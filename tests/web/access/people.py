from __future__ import annotations

from once_delivery.accounts.models import Invitation, Membership, Role
from once_delivery.accounts.secret_links import hash_of
from tests.web.access.row import Row, only
from tests.web.conftest import World

INVITED = "a-secret-that-nobody-guesses"
ADMINS = only(Role.ADMIN, status=200)
REFUSED = only(Role.ADMIN, status=422)  # the form is empty
MISSING = only(Role.ADMIN, status=404)  # what the form names is not there


def code(_: World) -> list[object]:
    return ["aurora"]


def vic(world: World) -> list[object]:
    return ["aurora", Membership.objects.get(project=world.project, user=world.vic).pk]


def invited(world: World) -> list[object]:
    admin = world.people[Role.ADMIN]
    Invitation.objects.get_or_create(
        secret_hash=hash_of(INVITED),
        defaults={
            "project": world.project,
            "email": "lee@example.com",
            "role": Role.VIEWER,
            "invited_by": admin,
            "expires_at": "2999-01-01T00:00:00Z",
        },
    )
    return [INVITED]


def admins_form(name: str, *, data: dict[str, str] | None = None, admin: int = 422) -> list[Row]:
    """A page of the admin: read and changed by nobody else, and changed only by who has just shown who they are."""
    return [
        Row(name, code, member=403, but=ADMINS),
        Row(name, code, "post", lambda _: data or {}, member=403, but=only(Role.ADMIN, status=302)),
        Row(
            name,
            code,
            "post",
            lambda _: data or {},
            member=403,
            but=only(Role.ADMIN, status=admin),
            confirmed=True,
        ),
    ]


ROWS: list[Row] = [
    Row("web:account", stranger=200),
    Row("web:account", method="post", member=302, stranger=302),
    Row("web:email", lambda _: ["no-claim"], member=404, stranger=404),
    Row("web:password", member=302, stranger=302),
    Row("web:password", stranger=200, confirmed=True),
    Row("web:password", method="post", member=422, stranger=422, confirmed=True),
    Row("web:own-factor", member=302, stranger=302),
    Row("web:own-factor", stranger=200, confirmed=True),
    Row("web:visits", stranger=200),
    Row("web:visits", method="post", member=404),
    # the secret is what opens these doors, not who one is; the stranger takes it, and then it is over
    Row("web:invitation", lambda _: ["nonsense"], anonymous=404, member=404, stranger=404, case="unknown"),
    Row("web:invitation", invited, anonymous=200, member=200, stranger=200),
    Row("web:invitation", invited, "post", anonymous=422, member=404, stranger=302),
    Row("web:forgotten", anonymous=200, stranger=200),
    Row("web:forgotten", method="post", member=302, stranger=302),
    Row("web:reset-sent", anonymous=200, stranger=200),
    Row("web:reset", lambda _: ["MQ", "x-y"], anonymous=404, member=404, stranger=404),
    Row("web:reset-done", anonymous=200, stranger=200),
    # 302: straight to the only one
    Row("web:projects", member=302, stranger=302),
    Row("web:project", code),
    Row("web:members", code),
    Row("web:member", vic, member=403, but=only(Role.ADMIN, Role.VIEWER, status=200)),
    Row(
        "web:member",
        vic,
        "post",
        lambda _: {"act": "role", "role": "admin"},
        member=403,
        but=only(Role.ADMIN, status=302),
    ),
    Row(
        "web:member",
        vic,
        "post",
        lambda _: {"act": "role", "role": "king"},
        member=403,
        but=only(Role.ADMIN, status=409),
        confirmed=True,
    ),
    *admins_form("web:owners"),
    *admins_form("web:invitations"),
    *admins_form("web:tokens"),
    *admins_form("web:routes"),
    *admins_form("web:outbox", admin=404),
    *admins_form("web:hours"),
    *admins_form("web:project-settings"),
    *admins_form("web:forgetting", data={"days": "29"}),
]
