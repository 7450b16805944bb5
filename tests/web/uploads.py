"""Batch files of the first tenant, as a browser sends them."""

from __future__ import annotations

from once_delivery.accounts.models import Role
from once_delivery.intake.models import Upload
from once_delivery.intake.services.uploads import keep_upload
from tests.web.conftest import World

HEADER = "product,locale,purpose,input_version,brief,target,title,body\n"


def rows(count: int, *, target: str = "cms", body: str = "text") -> bytes:
    lines = [f"pot-{number},de-DE,page,1,short,{target},Topf {number},{body}\n" for number in range(count)]
    return (HEADER + "".join(lines)).encode()


GOOD = rows(3)
BROKEN = (HEADER + "".join(f"pot-{n},de-DE,page,x,short,cms,,text\n" for n in range(120))).encode()


def an_upload(world: World, *, name: str = "winter.csv", data: bytes = GOOD, **changes: str) -> Upload:
    return keep_upload(
        project=world.project,
        user=world.people[Role.OPS_OWNER],
        data=data,
        file_name=name,
        pictures={},
        **changes,
    )
