"""Ceph's S3 gateway with a monitor and one store in memory: nothing is installed and nothing needs root."""

from __future__ import annotations

import contextlib
import os
import subprocess
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3
from botocore.config import Config

from tests.real.systems import ServerFailedError
from tests.real.systems.debian_trees import unpacked
from tests.real.systems.process import ServerProcess, free_port

PACKAGES = ("radosgw", "ceph-mon", "ceph-osd")
# for disks and services of a machine that Ceph is installed on
UNUSED = (
    "cryptsetup", "gdisk", "hdparm", "logrotate", "nvme", "libnvme", "dmidecode", "parted", "smartmontools",
    "xfsprogs", "dmeventd", "lvm2", "liblvm", "sudo", "popt", "uuid-runtime", "libparted", "libdevmapper",
)  # fmt: skip
USERS = ("owner", "delivery", "writer", "outsider")
COMMAND_S = 60
_CONFIGURATION = Path(__file__).parent / "ceph.conf"
_MONITOR_KEY = (
    "AQBwb2xsMAAAABAAkFfQ5Yb3zQ4Uu4JdQ4Zl9Q=="  # nobody is asked for it: authentication is off inside
)


@dataclass(frozen=True, slots=True)
class CephServer:
    """A running gateway; ``secrets`` by user, whose access key is the name."""

    base_url: str
    secrets: dict[str, str]
    gateway: ServerProcess

    def client(self, user: str) -> Any:
        """boto3, as a person with this account would use it."""
        return boto3.client(
            "s3",
            endpoint_url=self.base_url,
            aws_access_key_id=user,
            aws_secret_access_key=self.secrets[user],
            region_name="us-east-1",
            config=Config(s3={"addressing_style": "path"}, retries={"total_max_attempts": 1}),
        )


@contextlib.contextmanager
def running_ceph(folder: Path) -> Iterator[CephServer]:
    """A fresh store. Raises ServerFailedError."""
    cluster = _Cluster(unpacked("ceph", PACKAGES, without=UNUSED), folder)
    processes: list[ServerProcess] = []
    try:
        cluster.make()
        processes.append(cluster.start("mon", "ceph-mon", "-f", "-i", "a"))
        number = cluster.add_store()
        processes.append(cluster.start("osd", "ceph-osd", "-f", "-i", number))
        gateway = cluster.start("rgw", "radosgw", "-f", "-n", "client.rgw")
        processes.append(gateway)
        base_url = f"http://127.0.0.1:{cluster.port}"
        gateway.wait_until_ready(base_url)
        yield CephServer(base_url, {user: cluster.add_user(user) for user in USERS}, gateway)
    finally:
        for process in reversed(processes):
            process.stop()


class _Cluster:
    """The programs, and the folder in which they live."""

    def __init__(self, tree: Path, folder: Path) -> None:
        self._folder = folder
        self._tree = tree
        (libraries,) = (tree / "usr" / "lib").glob("*-linux-gnu")
        self._libraries = libraries
        self.port = free_port()
        self._monitor_port = free_port()
        self._configuration = folder / "ceph.conf"
        places = (libraries, libraries / "ceph", tree / "usr" / "lib", tree / "lib" / libraries.name)
        self._env = {
            "LD_LIBRARY_PATH": ":".join(map(str, places)),
            "PATH": f"{tree / 'usr/bin'}:{tree / 'usr/sbin'}:{os.environ['PATH']}",
            "PYTHONPATH": f"{tree / 'usr/lib/python3/dist-packages'}",
        }

    def make(self) -> None:
        """The files of a new cluster."""
        fsid = str(uuid.uuid4())
        text = _CONFIGURATION.read_text()
        for name, value in {
            "@FSID@": fsid,
            "@DIR@": str(self._folder),
            "@LIB@": str(self._libraries),
            "@MONITOR_PORT@": str(self._monitor_port),
            "@PORT@": str(self.port),
        }.items():
            text = text.replace(name, value)
        self._configuration.write_text(text)
        for name in ("mon", "osd", "rgw"):
            (self._folder / name).mkdir()
        (self._folder / "keyring").write_text(f'[mon.]\n\tkey = {_MONITOR_KEY}\n\tcaps mon = "allow *"\n')
        monitors = str(self._folder / "monmap")
        address = f"[v1:127.0.0.1:{self._monitor_port}]"
        self._run("monmaptool", "--create", "--addv", "a", address, "--fsid", fsid, monitors)
        self._run("ceph-mon", "--mkfs", "-i", "a", "--monmap", monitors, *self._settings())

    def add_store(self) -> str:
        """The number of a new store."""
        name = str(uuid.uuid4())
        number = self._ceph("osd", "new", name).strip()
        self._ceph("osd", "crush", "add", f"osd.{number}", "1.0", "root=default")
        self._run("ceph-osd", "-i", number, "--mkfs", "--osd-uuid", name, *self._settings())
        return number

    def add_user(self, name: str) -> str:
        """The secret of a new user of the gateway."""
        secret = uuid.uuid4().hex
        self._run(
            "radosgw-admin", *self._settings(), "-n", "client.rgw", "user", "create",
            "--uid", name, "--display-name", name, "--access-key", name, "--secret-key", secret,
        )  # fmt: skip
        return secret

    def start(self, name: str, program: str, *arguments: str) -> ServerProcess:
        """One of the servers."""
        command = [program, *arguments, *self._settings()]
        return ServerProcess(command, log=self._folder / f"{name}.out", env=self._env)

    def _settings(self) -> tuple[str, str]:
        return ("-c", str(self._configuration))

    def _ceph(self, *arguments: str) -> str:
        # Debian's own Python: the bindings are built for it
        program = str(self._tree / "usr" / "bin" / "ceph")
        return self._run(
            "/usr/bin/python3", program, *self._settings(), "--connect-timeout", "20", *arguments
        )

    def _run(self, *command: str) -> str:
        env = {**os.environ, **self._env}
        done = subprocess.run(
            command, env=env, capture_output=True, text=True, timeout=COMMAND_S, check=False
        )
        if done.returncode != 0:
            raise ServerFailedError(f"{' '.join(command[:4])} … : {done.stderr[-2000:]}")
        return done.stdout
