# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled kernels, by contents: a folder for each entry below `~/.cache/tileir/kernels`.

TILEIR_CACHE_DIR names another folder, TILEIR_CACHE_SIZE its bound in bytes (256 MiB). Entries come into being whole, by
renaming, so that processes that make the same one at the same time agree; the least recently used go first.
"""
import contextlib
import fcntl
import hashlib
import os
import shutil
import tempfile
import time
from typing import Callable, Iterator, List, Tuple

_DEFAULT_SIZE = 256 << 20
#: Entries that were used in the last so many seconds stay: another process may read them.
_IN_USE = 600
_NAME_LENGTH = 64


def folder() -> str:
    """The folder of the cache."""
    # TILEIR_CACHE_DIR: a folder = compiled kernels are kept there instead of below `~/.cache/tileir`.
    return os.environ.get("TILEIR_CACHE_DIR") or os.path.join(os.path.expanduser("~"), ".cache", "tileir", "kernels")


def key_of(*parts: object) -> str:
    """The name of the entry for these contents."""
    digest = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else repr(part).encode()
        digest.update(b"%d:" % len(data) + data)
    return digest.hexdigest()


def entry(key: str, make: Callable[[str], None]) -> str:
    """Returns the folder of entry `key`; `make` fills a new folder when there is none."""
    path = os.path.join(folder(), key)
    with contextlib.suppress(FileNotFoundError):
        os.utime(path)
        return path
    os.makedirs(folder(), exist_ok=True)
    work = tempfile.mkdtemp(prefix="new-", dir=folder())
    try:
        make(work)
        with contextlib.suppress(OSError):  # Another process was first.
            os.rename(work, path)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    trim()
    return path


def add(path: str, make: Callable[[str], None]) -> str:
    """Returns `path`, a file of an entry; `make` writes it to another place when it is not there."""
    if not os.path.exists(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        work = tempfile.mkdtemp(prefix="new-", dir=os.path.dirname(path))
        try:
            made = os.path.join(work, os.path.basename(path))
            make(made)
            with contextlib.suppress(OSError):
                os.rename(made, path)
        finally:
            shutil.rmtree(work, ignore_errors=True)
    return path


def _entries() -> Iterator[Tuple[float, int, str]]:
    with os.scandir(folder()) as items:
        for item in items:
            if len(item.name) != _NAME_LENGTH and not item.name.startswith("new-"):
                continue
            with contextlib.suppress(FileNotFoundError):
                size = sum(os.path.getsize(os.path.join(base, name)) for base, _, names in os.walk(item.path) for name in names)
                yield item.stat().st_mtime, size, item.path


def trim() -> None:
    """Removes the least recently used entries until the others fit, with a quarter to spare."""
    # TILEIR_CACHE_SIZE: bytes = the most that kept kernels take; 256 MiB without it.
    bound = int(os.environ.get("TILEIR_CACHE_SIZE") or _DEFAULT_SIZE)
    with open(os.path.join(folder(), "lock"), "a", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:  # Another process is at it.
            return
        found: List[Tuple[float, int, str]] = sorted(_entries())
        total = sum(size for _, size, _ in found)
        if total <= bound:
            return
        for used, size, path in found:
            if total <= bound * 3 // 4 or used > time.time() - _IN_USE:
                break
            shutil.rmtree(path, ignore_errors=True)
            total -= size
