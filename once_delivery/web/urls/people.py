"""Accounts, members, invitations, tokens."""

from __future__ import annotations

from django.urls import URLPattern, path

from once_delivery.web.views.people import (
    account,
    factor,
    forgetting,
    forgotten,
    hours,
    invitation,
    invitations,
    members,
    notices,
    project,
    tokens,
)

urlpatterns: list[URLPattern] = [
    path("account/", account.account, name="account"),
    path("account/email/<str:claim>/", account.email, name="email"),
    path("account/password/", account.password, name="password"),
    path("account/second-factor/", factor.own_factor, name="own-factor"),
    path("account/browsers/", account.visits, name="visits"),
    path("invitation/<str:secret>/", invitation.invitation, name="invitation"),
    path("password/forgotten/", forgotten.forgotten, name="forgotten"),
    path("password/forgotten/sent/", forgotten.sent, name="reset-sent"),
    path("password/reset/<uidb64>/<token>/", forgotten.NewPassword.as_view(), name="reset"),
    path("password/reset/done/", forgotten.done, name="reset-done"),
    path("projects/", project.projects, name="projects"),
    path("projects/<slug:code>/", project.project, name="project"),
    path("projects/<slug:code>/settings/", project.settings, name="project-settings"),
    path("projects/<slug:code>/forgetting/", forgetting.forgetting, name="forgetting"),
    path("projects/<slug:code>/members/", members.members, name="members"),
    path("projects/<slug:code>/members/<int:pk>/", members.member, name="member"),
    path("projects/<slug:code>/owners/", members.owners, name="owners"),
    path("projects/<slug:code>/invitations/", invitations.invitations, name="invitations"),
    path("projects/<slug:code>/tokens/", tokens.tokens, name="tokens"),
    path("projects/<slug:code>/notices/", notices.routes, name="routes"),
    path("projects/<slug:code>/outbox/", notices.outbox, name="outbox"),
    path("projects/<slug:code>/hours/", hours.hours, name="hours"),
]
