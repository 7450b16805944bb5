"""WordPress, PHP, nginx and MariaDB from Debian: the programs are installed, WordPress itself only unpacked.

``apt-get install wordpress`` would bring Apache along, and a server that starts by itself.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from tests.real.systems import CACHE, ServerFailedError

# what each is there for: the program whose absence means that the package is missing
PROGRAMS = {
    "php": "php-cli",
    "php-fpm": "php-fpm",
    "mariadbd": "mariadb-server-core",
    "mariadb": "mariadb-client-core",
    "nginx": "nginx-light",
}
# what PHP calls its own parts, and the packages that bring them
MODULES = {
    "mysqli": "php-mysql",
    "gd": "php-gd",
    "curl": "php-curl",
    "xml": "php-xml",
    "mbstring": "php-mbstring",
}
TREE = (
    "wordpress", "php-getid3", "libjs-underscore", "libjs-cropper", "libjs-prototype", "libjs-scriptaculous",
)  # fmt: skip
FILES = Path(__file__).parent / "wordpress_files"
INSTALL_S = 600


def program(name: str) -> str:
    """The path of a program; Debian names php-fpm after its version."""
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
    if found is None and name == "php-fpm":
        versions = sorted(Path("/usr/sbin").glob("php-fpm[0-9]*"))
        found = str(versions[-1]) if versions else None
    if found is None:
        raise ServerFailedError(f"{name} is not installed")
    return found


def wordpress_tree() -> Path:
    """The folder of WordPress, with the tests' own configuration; installs what is missing. Raises ServerFailedError.

    ``ONCE_TEST_WORDPRESS`` names a folder with another version (as ``dpkg-deb -x`` leaves it).
    """
    CACHE.mkdir(exist_ok=True)
    with (CACHE / "wordpress.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two sessions install once
        _install_programs()
        other = os.environ.get("ONCE_TEST_WORDPRESS")
        place = Path(other) if other else CACHE / "wordpress"
        if not other and not (place / "unpacked").exists():
            shutil.rmtree(place, ignore_errors=True)
            _unpack(place)
            (place / "unpacked").touch()
        tree = place / "usr" / "share" / "wordpress"
        shutil.copy(FILES / "wp-config.php", tree / "wp-config.php")
    return tree


def _install_programs() -> None:
    missing = [package for name, package in PROGRAMS.items() if not _is_there(name)]
    known = _run(program("php"), "-m").split() if _is_there("php") else []
    missing += [package for name, package in MODULES.items() if name not in known]
    if not missing:
        return
    if os.geteuid() != 0:
        raise ServerFailedError(f"missing: {' '.join(missing)}")
    _apt("update", "-qq")
    _apt("install", "-y", "-qq", "--no-install-recommends", *missing)


def _is_there(name: str) -> bool:
    try:
        program(name)
    except ServerFailedError:
        return False
    return True


def _unpack(place: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        try:
            _apt("download", "-qq", *TREE, cwd=folder)
        except ServerFailedError:
            _apt("update", "-qq")
            _apt("download", "-qq", *TREE, cwd=folder)
        place.mkdir()
        for package in Path(folder).glob("*.deb"):
            _run("dpkg-deb", "-x", str(package), str(place))


def _apt(*arguments: str, cwd: str | None = None) -> None:
    _run("apt-get", *arguments, cwd=cwd)


def _run(*command: str, cwd: str | None = None) -> str:
    # RUNLEVEL: the packages must not start servers of their own
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
    done = subprocess.run(
        command, cwd=cwd, env=env, capture_output=True, text=True, timeout=INSTALL_S, check=False
    )
    if done.returncode != 0:
        raise ServerFailedError(f"{' '.join(command[:3])} … : {done.stderr[-2000:]}")
    return done.stdout
