"""``manage.py drill_proxy``: the reverse proxy of vendors' drills, until it is told to end."""

from __future__ import annotations

import asyncio
import signal
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from once_delivery.vendor_drill.proxy.serving import Proxy


class Command(BaseCommand):
    help = "Serves the base URLs of vendors' drills: forwards to each drill's own target, injects its faults."

    requires_system_checks = ()  # the pages are not its business

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default=settings.DRILL_PROXY_HOST)
        parser.add_argument("--port", type=int, default=settings.DRILL_PROXY_PORT, help="0: any that is free")

    def handle(self, *args: Any, host: str, port: int, **options: Any) -> None:
        try:
            asyncio.run(self._serve(host, port))
        except OSError as error:
            raise CommandError(
                _("The drill proxy cannot listen on %(host)s:%(port)s: %(why)s")
                % {"host": host, "port": port, "why": error.strerror or error},
                returncode=2,
            ) from error

    async def _serve(self, host: str, port: int) -> None:
        proxy = Proxy(settings.DRILL_PROXY_URL)
        server = await proxy.start(host, port)
        ending = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, ending.set)
        where = server.sockets[0].getsockname()
        self.stdout.write(f"http://{where[0]}:{where[1]}")
        self.stdout.flush()
        await ending.wait()
        server.close()
        rest = asyncio.all_tasks() - {asyncio.current_task()}
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)
        await asyncio.to_thread(proxy.journal.close)
