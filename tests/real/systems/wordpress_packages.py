"""WordPress, PHP and nginx from Debian: the programs are installed, WordPress itself only unpacked.

``apt-get install wordpress`` would bring Apache along, and a server that starts by itself.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from pathlib import Path

from tests.real.systems import CACHE, ServerFailedError
from tests.real.systems.debian import apt, install, is_there, program, run
from tests.real.systems.debian_suites import unpacked_from

# what each is there for: the program whose absence means that the package is missing
PROGRAMS = {
    "php": "php-cli",
    "php-fpm": "php-fpm",
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


def wordpress_tree(suite: str = "") -> Path:
    """The folder of WordPress, with the tests' own configuration; installs what is missing. Raises ServerFailedError.

    ``suite``: that of another Debian, on this machine's PHP. Without it ``ONCE_TEST_WORDPRESS`` names a folder with
    another version (as ``dpkg-deb -x`` leaves it).
    """
    CACHE.mkdir(exist_ok=True)
    with (CACHE / "wordpress.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two sessions install once
        _install_programs()
        other = "" if suite else os.environ.get("ONCE_TEST_WORDPRESS")
        place = Path(other) if other else CACHE / "wordpress"
        if suite:
            place = unpacked_from(suite, "wordpress", TREE)
        elif not other and not (place / "unpacked").exists():
            shutil.rmtree(place, ignore_errors=True)
            _unpack(place)
            (place / "unpacked").touch()
        tree = place / "usr" / "share" / "wordpress"
        shutil.copy(FILES / "wp-config.php", tree / "wp-config.php")
    return tree


def _install_programs() -> None:
    missing = [package for name, package in PROGRAMS.items() if not is_there(name)]
    known = run(program("php"), "-m").split() if is_there("php") else []
    install(missing + [package for name, package in MODULES.items() if name not in known])


def _unpack(place: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        try:
            apt("download", "-qq", *TREE, cwd=folder)
        except ServerFailedError:
            apt("update", "-qq")
            apt("download", "-qq", *TREE, cwd=folder)
        place.mkdir()
        for package in Path(folder).glob("*.deb"):
            run("dpkg-deb", "-x", str(package), str(place))
