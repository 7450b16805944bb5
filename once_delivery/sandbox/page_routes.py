from __future__ import annotations

from once_delivery.sandbox.answers import Answer
from once_delivery.sandbox.app import App
from once_delivery.sandbox.wire import Request


def answer(app: App, request: Request) -> Answer:
    return Answer(404)
