"""A target that holds one place's draft: what ever stood there, and whose words were replaced by whom."""

from __future__ import annotations

from once_delivery.targets.base import Answer, EffectRequest, Outcome
from tests.fakes.connector import FakeTarget

EDITOR = "editor"  # an editor's titles begin so
FAULTS = ("ok", "lost", "gone", "zombie", "not_sent", "busy", "refused")


class VersionedPlace(FakeTarget):
    """Remembers every text that ever stood there, and whose words were replaced by whom."""

    def __init__(self, protects: str, *, tells_version: bool) -> None:
        super().__init__(protects=protects, tells_version=tells_version)
        self.stood: set[str] = set()
        self.agreed: set[tuple[str, str]] = set()  # update's marker, state: a person has seen it and decided
        self.broken: list[str] = []
        self.flying: list[tuple[EffectRequest, float]] = []
        self.now = 0.0

    def create(self, request: EffectRequest) -> Answer:
        answer = super().create(request)
        self.stood |= {one.title for one in self.objects}
        return answer

    def update(self, request: EffectRequest) -> Answer:
        assert request.original is not None
        before = self.held(request.original.result_id)
        answer = super().update(request)
        if answer.outcome == Outcome.DONE and before is not None:
            if before.title.startswith(EDITOR) and (request.marker, before.version) not in self.agreed:
                self.broken.append(f"{before.title} was lost to {request.payload['title']}")
            self.stood.add(str(request.payload["title"]))
        return answer

    def arrive(self, request: EffectRequest) -> Answer:
        return self.update(request) if request.original else self.create(request)


def answered(fault: str, zombie_s: float, place: FakeTarget, request: EffectRequest) -> Answer:
    assert isinstance(place, VersionedPlace)
    if fault == "zombie":
        place.flying.append((request, place.now + zombie_s))
    if fault in {"ok", "lost"}:
        answer = place.arrive(request)
        return answer if fault == "ok" else Answer(Outcome.UNKNOWN, "reset")
    return {
        "not_sent": Answer(Outcome.NOT_SENT, "connect-refused"),
        "busy": Answer(Outcome.NOT_DONE, "http-429", http_status=429, retry_after_s=7.0),
        "refused": Answer(Outcome.REFUSED, "http-422", http_status=422),
    }.get(fault, Answer(Outcome.UNKNOWN, fault))
