"""Invitations, members, tokens: who may, what is kept, what is over."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone, translation

from once_delivery.accounts.access import projects_of, role_of
from once_delivery.accounts.models import ApiToken, Invitation, Membership, Project, Role, User
from once_delivery.accounts.services.api_tokens import make_token, revoke_token, token_of
from once_delivery.accounts.services.invitations import (
    accept_as,
    accept_as_new,
    invite,
    open_invitation,
    revoke_invitation,
)
from once_delivery.accounts.services.members import change_role, name_owners, remove_member, set_absence
from once_delivery.common.errors import DomainError, InvalidInputError
from tests.builders import a_project, a_user

GOOD = "a-fine-long-phrase-7"


def member(project: Project, name: str, role: Role = Role.VIEWER) -> Membership:
    return Membership.objects.create(project=project, user=a_user(name), role=role)


def test_somebody_new_accepts(project: Project, admin: User) -> None:
    _, secret = invite(project=project, email=" Lee@Example.com ", role="finance", user=admin)
    assert secret not in str(Invitation.objects.values())
    user = accept_as_new(secret=secret, username="lee", password=GOOD)
    assert (user.email, role_of(user, project), user.check_password(GOOD)) == (
        "lee@example.com",
        Role.FINANCE,
        True,
    )
    with pytest.raises(DomainError, match="invitation-used"):
        accept_as_new(secret=secret, username="other", password=GOOD)
    assert not User.objects.filter(username="other").exists()


def test_somebody_known_accepts_another_project(project: Project, admin: User) -> None:
    neighbour = member(a_project("other"), "neighbour").user
    _, secret = invite(project=project, email="n@example.com", role="viewer", user=admin)
    accept_as(secret=secret, user=neighbour)
    assert set(projects_of(neighbour)) == {project, a_project("other")}


@pytest.mark.parametrize(
    ("username", "password", "column"),
    [
        ("ops", GOOD, "username"),  # taken
        ("", GOOD, "username"),
        ("a b", GOOD, "username"),
        ("x" * 151, GOOD, "username"),
        ("lee", "short", "password"),
        ("lee", "password1234", "password"),
        ("lee", "123456789012345", "password"),
    ],
)
def test_what_is_wrong_is_said_beside_its_field(
    project: Project, admin: User, username: str, password: str, column: str
) -> None:
    _, secret = invite(project=project, email="lee@example.com", role="viewer", user=admin)
    people = User.objects.count()
    with pytest.raises(InvalidInputError) as caught:
        accept_as_new(secret=secret, username=username, password=password)
    assert {problem.column for problem in caught.value.problems} == {column}
    assert User.objects.count() == people
    assert open_invitation(secret=secret)


def test_links_that_open_nothing(project: Project, admin: User) -> None:
    revoked, first = invite(project=project, email="a@example.com", role="viewer", user=admin)
    revoke_invitation(invitation=revoked, user=admin)
    expired, second = invite(project=project, email="b@example.com", role="viewer", user=admin)
    Invitation.objects.filter(pk=expired.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    _, replaced = invite(project=project, email="c@example.com", role="viewer", user=admin)
    _, newer = invite(project=project, email="c@example.com", role="finance", user=admin)
    told = {
        first: "invitation-revoked",
        second: "invitation-expired",
        replaced: "invitation-revoked",
        "": "invitation-over",
        "x" * 43: "invitation-over",
    }
    for secret, code in told.items():
        with pytest.raises(DomainError, match=code):
            open_invitation(secret=secret)
    assert open_invitation(secret=newer).role == Role.FINANCE


@pytest.mark.parametrize(
    ("email", "role", "said"),
    [
        ("", "viewer", "“” is no e-mail address."),
        ("no", "viewer", "“no” is no e-mail address."),
        ("a@example.com", "king", "“king” is no role."),
    ],
)
def test_a_bad_invitation_names_what_is_wrong_and_nothing_else(
    project: Project, admin: User, email: str, role: str, said: str
) -> None:
    with pytest.raises(DomainError, match="bad-invitation") as refused:
        invite(project=project, email=email, role=role, user=admin)
    with translation.override("en"):
        assert refused.value.message == said


def test_a_member_is_not_made_one_again(project: Project, admin: User) -> None:
    _, secret = invite(project=project, email="ada@example.com", role="viewer", user=admin)
    with pytest.raises(DomainError, match="already-member"):
        accept_as(secret=secret, user=admin)
    assert role_of(admin, project) == Role.ADMIN


@pytest.mark.parametrize("role", [role for role in Role if role != Role.ADMIN])
def test_only_an_admin_of_this_project(project: Project, admin: User, role: Role) -> None:
    other = a_user("other")
    membership = Membership.objects.create(project=project, user=other, role=role)
    Membership.objects.create(project=a_project("elsewhere"), user=other, role=Role.ADMIN)
    invitation, _ = invite(project=project, email="x@example.com", role="viewer", user=admin)
    token, _ = make_token(project=project, name="n8n", role="ops_owner", days=30, user=admin)
    tried: list[Callable[[], object]] = [
        lambda: invite(project=project, email="y@example.com", role="admin", user=other),
        lambda: revoke_invitation(invitation=invitation, user=other),
        lambda: change_role(membership=membership, role="admin", user=other),
        lambda: remove_member(membership=membership, user=other),
        lambda: name_owners(project=project, default_owner=other, stand_in=other, user=other),
        lambda: make_token(project=project, name="mine", role="admin", days=30, user=other),
        lambda: revoke_token(token=token, user=other),
    ]
    for act in tried:
        with pytest.raises(DomainError, match="not-admin"):
            act()
    assert role_of(other, project) == role
    assert ApiToken.objects.count() == 1


def test_the_last_admin_stays(project: Project, admin: User) -> None:
    own = Membership.objects.get(user=admin)
    tried: list[Callable[[], object]] = [
        lambda: change_role(membership=own, role="viewer", user=admin),
        lambda: remove_member(membership=own, user=admin),
    ]
    for act in tried:
        with pytest.raises(DomainError, match="last-admin"):
            act()
    second = member(project, "second", Role.ADMIN)
    change_role(membership=own, role="viewer", user=admin)
    assert (role_of(admin, project), role_of(second.user, project)) == (Role.VIEWER, Role.ADMIN)


def test_an_owner_is_replaced_before_leaving(project: Project, admin: User) -> None:
    """R13"""
    ops = Membership.objects.get(user__username="ops")
    with pytest.raises(DomainError, match="still-owner"):
        remove_member(membership=ops, user=admin)
    with pytest.raises(DomainError, match="not-member"):
        name_owners(project=project, default_owner=a_user("outside"), stand_in=admin, user=admin)
    name_owners(project=project, default_owner=admin, stand_in=a_user("deputy"), user=admin)
    remove_member(membership=ops, user=admin)
    assert role_of(a_user("ops"), project) is None


def test_one_is_away_oneself_or_an_admin_says_so(project: Project, admin: User) -> None:
    own = member(project, "own")
    until = timezone.now() + timedelta(days=3)
    set_absence(membership=own, until=until, user=own.user)
    with pytest.raises(DomainError, match="not-admin"):
        set_absence(membership=Membership.objects.get(user=admin), until=until, user=own.user)
    set_absence(membership=own, until=None, user=admin)
    own.refresh_from_db()
    assert own.absent_until is None


def test_a_token_signs_in_until_it_is_over(project: Project, admin: User) -> None:
    token, secret = make_token(project=project, name=" n8n ", role="ops_owner", days=30, user=admin)
    assert (token.name, secret.startswith(token.beginning)) == ("n8n", True)
    assert secret not in str(ApiToken.objects.values())
    found = token_of(secret)
    assert found is not None
    assert (found.project, found.role) == (project, Role.OPS_OWNER)
    token.refresh_from_db()
    assert token.last_used_at is not None
    revoke_token(token=token, user=admin)
    assert token_of(secret) is None
    expired, other = make_token(project=project, name="old", role="viewer", days=1, user=admin)
    ApiToken.objects.filter(pk=expired.pk).update(expires_at=timezone.now())
    assert [token_of(one) for one in (other, "", "once_")] == [None] * 3


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("", "viewer", 1), "A token needs a name."),
        (("a", "king", 1), "“king” is no role."),
        (("a", "viewer", 0), "A token is valid for 1 to 366 days."),
        (("a", "viewer", 367), "A token is valid for 1 to 366 days."),
    ],
)
def test_a_bad_token_names_what_is_wrong_and_nothing_else(
    project: Project, admin: User, asked: tuple[str, str, int], said: str
) -> None:
    name, role, days = asked
    with pytest.raises(DomainError, match="bad-token") as refused:
        make_token(project=project, name=name, role=role, days=days, user=admin)
    with translation.override("en"):
        assert refused.value.message == said
