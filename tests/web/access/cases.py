from __future__ import annotations

from once_delivery.accounts.models import Role
from reconciliation.decisions import Decision
from reconciliation.models import BulkDecision, Case
from reconciliation.services.approvals import propose, withdraw
from reconciliation.services.decide_many import plan_bulk
from tests.web.access.row import Row, only
from tests.web.conftest import World

READERS = only(Role.VIEWER, Role.MARKETING_LEAD, Role.FINANCE, Role.CLIENT_APPROVER, status=403)
YESTERDAY = "0"  # the revision of a page that was opened before somebody else worked on the case


def uuid(world: World) -> list[object]:
    return [world.case.uuid]


def a_plan(world: World) -> BulkDecision:
    cases = Case.objects.filter(project=world.project).select_related("project", "action")
    plan, _ = plan_bulk(project=world.project, cases=list(cases), decision=Decision.GIVE_UP, user=world.alice)
    return plan


def plan(world: World) -> list[object]:
    return [a_plan(world).uuid]


def stale(world: World, **more: str) -> dict[str, str]:
    Case.objects.filter(pk=world.case.pk).update(revision=7)
    return {"revision": YESTERDAY, **more}


def proposal(world: World) -> dict[str, str]:
    approval = propose(case=world.case, decision=Decision.ABSENT, user=world.alice)
    return {"approval": str(approval.uuid), "agree": "no"}


def withdrawn(world: World) -> dict[str, str]:
    approval = propose(case=world.case, decision=Decision.ABSENT, user=world.alice)
    withdraw(approval=approval, user=world.alice)
    return {"approval": str(approval.uuid), "seen": "9" * 9}  # a page of after that


ROWS = [
    Row("web:cases", stranger=200),
    Row("web:cases-export", stranger=200),
    Row("web:case", uuid),
    Row("web:approvals", stranger=200),
    Row(
        "web:case-decide",
        uuid,
        method="post",
        data=lambda w: stale(w, decision="give_up", how="decide"),
        member=409,
        but=READERS,
    ),
    # the second person's: not by who proposed, and the client's approver has no say in it
    Row("web:case-answer", uuid, method="post", data=proposal, member=403, but=only(Role.ADMIN, status=302)),
    Row(
        "web:case-hand-over",
        uuid,
        method="post",
        data=lambda w: stale(w, to="alice"),
        member=409,
        but=READERS,
    ),
    Row("web:case-put-off", uuid, method="post", data=lambda _: {"reason": ""}, member=422, but=READERS),
    Row("web:case-comment", uuid, method="post", data=lambda _: {"text": "I saw two."}, member=302),
    Row("web:case-look", uuid, method="post", member=302, but=READERS),
    Row("web:case-undo", uuid, method="post", member=409, but=READERS),
    Row(
        "web:case-withdraw",
        uuid,
        method="post",
        data=withdrawn,
        member=409,
        but=READERS,
    ),
    # 404: nothing that we signed
    Row("web:case-image", uuid, member=404),
    Row("web:case-time", uuid, method="post", data=lambda _: {"do": "start"}, member=302, but=READERS),
    Row(
        "web:bulk-plan",
        method="post",
        data=lambda w: {"decision": "give_up", "case": str(w.case.uuid)},
        member=302,
        stranger=302,  # nothing of theirs was chosen
        but=READERS,
    ),
    Row("web:bulk", plan),
    # it is decided in the name of who made the plan
    Row("web:bulk-run", plan, method="post", member=403, but=only(Role.OPS_OWNER, status=302)),
    Row("web:bulk-cancel", plan, method="post", member=302, but=READERS),
]
