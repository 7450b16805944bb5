"""Agree on a vendor's drill: a row, and a secret that is told once."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import IntegrityError, transaction

from once_delivery.accounts.models import Project, User
from once_delivery.accounts.secret_links import hash_of, new_secret
from once_delivery.ledger.clock import database_now
from once_delivery.targets.models import Target
from once_delivery.vendor_drill.agreement import Agreement, checked
from once_delivery.vendor_drill.errors import NotATestTargetError, TargetInUseError
from once_delivery.vendor_drill.models import VendorDrill


@dataclass(frozen=True, slots=True)
class Asked:
    """``secret`` is in no table: who has it reaches the target through the proxy."""

    drill: VendorDrill
    secret: str


def ask_drill(*, project: Project, target: Target, agreement: Agreement, user: User | None) -> Asked:
    """A drill that is not open yet: the target is counted first (``open_drill``).

    Raises BadAgreementError, NotATestTargetError, or TargetInUseError when one is under way at the target.
    """
    agreed = checked(agreement)
    secret = new_secret()
    now = database_now()
    try:
        with transaction.atomic():
            held = _locked(target, project)
            drill = VendorDrill.objects.create(
                project=project,
                target=held,
                vendor=agreed.vendor.strip(),
                kind=agreed.kind,
                count=agreed.count,
                faults=list(agreed.faults),
                recognise=agreed.recognise,
                place=agreed.place,
                values=[one.strip() for one in agreed.values],
                creates_at=agreed.creates_at,
                slow_s=agreed.slow_s,
                race_s=agreed.race_s,
                limit_s=agreed.limit_s,
                secret_hash=hash_of(secret),
                started_by=user,
                asked_at=now,
                woken_at=now,
            )
    except IntegrityError:
        raise TargetInUseError(target=target.name) from None
    return Asked(drill, secret)


def _locked(target: Target, project: Project) -> Target:
    """As it is now, and stays for as long as the drill is under way (``hold_target``). Raises NotATestTargetError."""
    held = Target.objects.select_for_update().get(pk=target.pk)
    if not held.is_test or held.project_id != project.pk:
        raise NotATestTargetError(name=held.name)
    return held
