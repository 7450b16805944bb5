"""What is to be forgotten, in words."""

from __future__ import annotations

from django.utils.translation import ngettext

from once_delivery.retention.amounts import Amounts


def said(amounts: Amounts) -> list[str]:
    """A line for each kind of thing that there is."""
    lines = [*_of_tasks(amounts), *_beside_tasks(amounts)]
    return [line % {"count": count} for count, line in lines if count]


def _of_tasks(amounts: Amounts) -> list[tuple[int, str]]:
    return [
        (
            amounts.tasks,
            ngettext(
                "%(count)s task: what was sent, answered, seen and written about it",
                "%(count)s tasks: what was sent, answered, seen and written about them",
                amounts.tasks,
            ),
        ),
        (
            amounts.drafts,
            ngettext(
                "%(count)s text of a draft as it was read at the target",
                "%(count)s texts of drafts as they were read at the targets",
                amounts.drafts,
            ),
        ),
        (
            amounts.briefs,
            ngettext("%(count)s brief", "%(count)s briefs", amounts.briefs),
        ),
        (
            amounts.files,
            ngettext("%(count)s stored file", "%(count)s stored files", amounts.files),
        ),
    ]


def _beside_tasks(amounts: Amounts) -> list[tuple[int, str]]:
    return [
        (
            amounts.uploads,
            ngettext("%(count)s uploaded batch file", "%(count)s uploaded batch files", amounts.uploads),
        ),
        (
            amounts.messages,
            ngettext("%(count)s message of the outbox", "%(count)s messages of the outbox", amounts.messages),
        ),
        (
            amounts.lists,
            ngettext(
                "%(count)s list of a target's objects, of an audit",
                "%(count)s lists of targets' objects, of audits",
                amounts.lists,
            ),
        ),
        (
            amounts.strangers,
            ngettext(
                "titles in %(count)s finding about objects of no task",
                "titles in %(count)s findings about objects of no task",
                amounts.strangers,
            ),
        ),
    ]
