"""Where the operator lets no target lead inside, the proxy of vendors' drills goes nowhere inside either."""

from __future__ import annotations

import http.client
import json

import pytest
from pytest_django import Settings

from tests.vendor_drill.given import Running
from tests.vendor_drill.scripted import reply, scripted


def test_where_targets_may_not_lead_inside_nothing_is_dialled(
    proxy: Running, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the target's row says: any project's ops owner writes it, and has the drill's secret as well."""
    settings.TARGETS_MAY_GO_INSIDE = False
    monkeypatch.delenv("ONCE_SANDBOX_URL", raising=False)
    with scripted(reply(b"secret")) as (server, secret, _drill):
        connection = http.client.HTTPConnection("127.0.0.1", proxy.port, timeout=5)
        connection.request("GET", f"/{secret}/metrics")
        response = connection.getresponse()
        assert (response.status, json.loads(response.read())["error"]["code"]) == (502, "target-unreachable")
        connection.close()
        assert server.requests == []
