"""Create drafts at the sandbox through the ledger's own connector, without the ledger.

python -m bench.workers.create_at_sandbox TARGET THREADS
"""

from __future__ import annotations

import itertools
import sys
import uuid

import django

from bench.workers.protocol import serve
from bench.workers.threads import for_seconds


def main() -> None:
    django.setup()
    from once_delivery.ledger.models import Action  # noqa: PLC0415 - after setup
    from once_delivery.targets.base import Connector, EffectRequest, Kind, Outcome  # noqa: PLC0415
    from once_delivery.targets.connecting import connected  # noqa: PLC0415
    from once_delivery.targets.models import Target  # noqa: PLC0415

    target, threads = Target.objects.get(name=sys.argv[1]), int(sys.argv[2])
    payload = Action.objects.filter(target=target).values_list("payload", flat=True)[0]
    prefix, numbers = uuid.uuid4().hex[:12], itertools.count()

    def create(connector: Connector) -> None:
        marker = f"plain-{prefix}-{next(numbers)}"
        request = EffectRequest(
            Kind.CREATE_DRAFT, marker, str(uuid.uuid4()), marker, payload, deadline_s=10.0
        )
        answer = connector.perform(request)
        assert answer.outcome == Outcome.DONE, answer

    with connected(target) as connector:
        serve(lambda seconds: for_seconds(seconds, threads=threads, once=lambda _: create(connector)))


if __name__ == "__main__":
    main()
