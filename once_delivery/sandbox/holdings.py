"""What a space holds, grouped for people: one line a marker."""

from __future__ import annotations

from dataclasses import dataclass, field

from once_delivery.sandbox.objects import KINDS, Stored


@dataclass(slots=True)
class Line:
    """All objects of one kind that carry one marker (or one object that carries none)."""

    marker: str | None
    objects: list[Stored] = field(default_factory=list)

    @property
    def count(self) -> int:
        """How many exist outside the trash."""
        return sum(one.status != "trash" for one in self.objects)

    @property
    def place(self) -> tuple[str, str]:
        """Product and locale of the first object."""
        doc = self.objects[0].doc
        return (str(doc.get("product") or ""), str(doc.get("locale") or ""))

    @property
    def title(self) -> str:
        """Title, file name or prompt of the first object."""
        doc = self.objects[0].doc
        return str(doc.get("title") or doc.get("filename") or doc.get("prompt") or "")


def lines(objects: list[Stored]) -> dict[str, list[Line]]:
    """Per kind the lines in the order of product and locale; those with more than one first."""
    found: dict[str, dict[str, Line]] = {kind: {} for kind in KINDS}
    for one in objects:
        key = f"m{one.marker}" if one.marker is not None else f"s{one.serial}"
        found[one.kind].setdefault(key, Line(one.marker)).objects.append(one)
    return {
        kind: sorted(of_kind.values(), key=lambda line: (line.count < 2, line.place, line.objects[0].serial))  # noqa: PLR2004 -- two is a duplicate
        for kind, of_kind in found.items()
    }
