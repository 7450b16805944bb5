"""A bucket in moto: an S3 that runs in this process. It checks no signature, so rights are for the real store's tests."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Iterator, Mapping
from typing import Any

import boto3
from botocore.config import Config
from moto.server import ThreadedMotoServer

from once_delivery.targets.base import (
    Connection,
    EffectRequest,
    FileBytes,
    Kind,
    Look,
    LookUpRequest,
    Original,
)
from once_delivery.targets.s3.connector import S3Connector, connect

ACCESS_KEY, SECRET_KEY = "delivery", "very-secret-key"
MARKER = "once-aaaaaaaaaaaaaaaaaaaaaaaaaa"
OTHER = "once-bbbbbbbbbbbbbbbbbbbbbbbbbb"
DRAFT_KEY = f"drafts/{MARKER}.json"
CREDENTIALS = {"access_key": ACCESS_KEY, "secret_key": SECRET_KEY}
DRAFT, FILE, UPDATE = Kind.CREATE_DRAFT, Kind.UPLOAD_FILE, Kind.UPDATE_DRAFT


@contextlib.contextmanager
def running_moto() -> Iterator[str]:
    """The address of a fresh store."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        yield "http://{}:{}".format(*server.get_host_and_port())
    finally:
        server.stop()


class Bucket:
    """A bucket of its own, and a connector of it."""

    def __init__(self, url: str, *, versioned: bool = False, **declaration: Any) -> None:
        self.name = f"bucket-{uuid.uuid4().hex[:10]}"
        self.url = url
        self.client: Any = boto3.client(
            "s3",
            endpoint_url=url,
            aws_access_key_id=ACCESS_KEY,
            aws_secret_access_key=SECRET_KEY,
            region_name="us-east-1",
            config=Config(s3={"addressing_style": "path"}, retries={"total_max_attempts": 1}),
        )
        self.client.create_bucket(Bucket=self.name)
        if versioned:
            self.client.put_bucket_versioning(Bucket=self.name, VersioningConfiguration={"Status": "Enabled"})
        self.connector = self.connected(**declaration)

    def connected(self, **declaration: Any) -> S3Connector:
        """Another connector, declared otherwise."""
        return connect(
            Connection(self.url, {"bucket": self.name, **declaration}, CREDENTIALS, allow_inside=True)
        )

    def put(self, key: str, data: bytes = b"x", **more: Any) -> None:
        """Somebody else stores an object."""
        self.client.put_object(Bucket=self.name, Key=key, Body=data, **more)

    def keys(self) -> list[str]:
        """What is there."""
        return [one["Key"] for one in self.client.list_objects_v2(Bucket=self.name).get("Contents", [])]

    def data(self, key: str) -> bytes:
        """The bytes of one object."""
        found: bytes = self.client.get_object(Bucket=self.name, Key=key)["Body"].read()
        return found


def draft(marker: str = MARKER, **payload: Any) -> EffectRequest:
    """A create, as the ledger makes it."""
    return EffectRequest(DRAFT, marker, "", "", {"title": "Kessel", "body": "<p>x</p>", **payload}, 5)


def update(original: Original, **payload: Any) -> EffectRequest:
    """The same draft for a newer input version."""
    content = {"title": "Kessel 2", "body": "<p>y</p>", **payload}
    return EffectRequest(UPDATE, OTHER, "", "", content, 5, original=original)


def upload(marker: str = MARKER, *, name: str = "kettle.png", data: bytes = b"picture") -> EffectRequest:
    """An upload, as the ledger makes it."""
    file = FileBytes(name, "image/png", "s", data)
    return EffectRequest(FILE, marker, "", "", {"file": {"sha256": "s"}}, 10, {"s": file})


def look(connector: S3Connector, kind: Kind = DRAFT, marker: str = MARKER, **more: Any) -> Look:
    """A look-up, as the ledger makes it."""
    return connector.look_up(LookUpRequest(kind, marker, "", 5, **more))


def xml_error(code: str, status: int, **headers: str) -> bytes:
    """An error in a store's own words."""
    body = f'<?xml version="1.0"?><Error><Code>{code}</Code><Message>no</Message></Error>'
    return said(body, status, headers={"Content-Type": "application/xml", **headers})


def said(body: str = "", status: int = 200, *, headers: Mapping[str, str] | None = None) -> bytes:
    """An answer of a store."""
    data = body.encode()
    given = {"Content-Length": str(len(data)), **(headers or {})}
    lines = [f"HTTP/1.1 {status} x", *(f"{name}: {value}" for name, value in given.items())]
    return "\r\n".join([*lines, "", ""]).encode() + data
