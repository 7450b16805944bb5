"""What Shopify and Sanity publish of their query languages: a schema and an evaluator, without their services."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import Any

from tests.real.systems import ServerFailedError
from tests.real.systems.node import INSTALL_S, installed, node_environment

FILES = Path(__file__).parent / "saas_files"
# holds the schema of the Admin API as Shopify publishes it; what else the package needs is not wanted
PACKAGE = "@shopify/dev-mcp@1.16.0"
SHA512 = "tqgRnK7sQhjew+htxtleTH23nXB5fZcsrhWgEkomsorGXvLOB2mh2upwZm8uzuTDNTZnqtLMe64yIwh6s2awtw=="
SCHEMA = "package/dist/data/admin_2026-10.json.gz"


def checked(
    *, shopify: list[dict[str, Any]] | None = None, sanity: list[dict[str, Any]] | None = None
) -> dict[str, list[list[str]]]:
    """The mistakes of each GraphQL request by Shopify's schema, the IDs that Sanity's evaluator finds for each query."""
    place = installed("saas-languages", FILES, finish=_fetch_schema)
    done = subprocess.run(
        ["node", "check.mjs"],
        cwd=place,
        env={**os.environ, **node_environment()},
        input=json.dumps({"shopify": shopify or [], "sanity": sanity or []}),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    if done.returncode != 0:
        raise ServerFailedError(f"check.mjs: {done.stderr[-2000:]}")
    answer: dict[str, list[list[str]]] = json.loads(done.stdout)
    return answer


def _fetch_schema(place: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            ["npm", "pack", "--silent", PACKAGE],
            cwd=folder,
            env={**os.environ, **node_environment()},
            capture_output=True,
            text=True,
            timeout=INSTALL_S,
            check=False,
        )
        if done.returncode != 0:
            raise ServerFailedError(f"npm pack {PACKAGE}: {done.stderr[-2000:]}")
        archive = Path(folder) / done.stdout.strip().splitlines()[-1]
        if base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode() != SHA512:
            raise ServerFailedError(f"{archive.name} is not the archive that it was")
        with tarfile.open(archive) as opened:
            opened.extract(SCHEMA, folder, filter="data")
        shutil.copy(Path(folder) / SCHEMA, place / "shopify-schema.json.gz")
