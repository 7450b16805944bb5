"""A supplier whose name somebody typed: the one that is there, or a new one under a code of its own."""

from __future__ import annotations

from itertools import count

from billing.codes import code_of, same_name
from billing.models import SubBucket, Supplier
from once_delivery.accounts.models import Project

_LONGEST = 50


def new_supplier(*, project: Project, name: str, sub_bucket: SubBucket) -> Supplier:
    """Afterwards ``project`` has a supplier called ``name``; one of that name is not made again and stays as it is.

    So is one whose code was chosen by somebody and is ``name``: usage is told under it.

    In a transaction. Until its end nobody else makes a supplier of ``project`` here.
    """
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    known = list(Supplier.objects.filter(project=project).order_by("pk"))
    chosen = [one for one in known if one.code != code_of(one.name)]
    found = [one for one in known if same_name(one.name, name)] or [
        one for one in chosen if same_name(one.code, name)
    ]
    if found:
        return found[0]
    code = _free(code_of(name) or "supplier", {one.code for one in known})
    return Supplier.objects.create(project=project, code=code, name=name, sub_bucket=sub_bucket)


def _free(wanted: str, taken: set[str]) -> str:
    code = wanted[:_LONGEST]
    for number in count(2):
        if code not in taken:
            break
        end = f"-{number}"
        code = wanted[: _LONGEST - len(end)] + end
    return code
