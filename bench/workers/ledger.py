"""Work through a target's due actions as a Celery worker would: ``work_target`` is what its task calls.

python -m bench.workers.ledger TARGET
"""

from __future__ import annotations

import sys

import django

from bench.workers.protocol import serve


def main() -> None:
    django.setup()
    from once_delivery.ledger.services.work_target import work_target  # noqa: PLC0415 - after setup
    from once_delivery.ledger.transitions import Actor  # noqa: PLC0415
    from once_delivery.targets.models import Target  # noqa: PLC0415

    target = Target.objects.get(name=sys.argv[1])
    actor = Actor("system:bench")
    serve(lambda seconds: work_target(target_id=target.pk, actor=actor, budget_s=seconds).performed)


if __name__ == "__main__":
    main()
