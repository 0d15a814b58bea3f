"""Interpreters whose processes are watched: by the system (strace), and by Python itself (an audit hook)."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

WRITING = re.compile(r"O_(WRONLY|RDWR|CREAT|TRUNC|APPEND|TMPFILE)")
"""Flags of `open` in strace's words."""
CHANGING = frozenset(
    """unlink unlinkat rename renameat renameat2 mkdir mkdirat rmdir link linkat symlink symlinkat truncate
    ftruncate chmod fchmod fchmodat chown fchown lchown fchownat mknod mknodat creat setxattr lsetxattr
    utimensat     """.split()  # noqa: SIM905
)
REACHING = frozenset(
    """execve execveat fork vfork clone clone3 kill tgkill tkill socket socketpair connect bind listen accept
    accept4 sendto sendmsg sendmmsg ptrace process_vm_writev process_vm_readv mount umount2 chroot
    """.split()  # noqa: SIM905
)
HOOK = """
import json, os, sys
_log = os.open({log!r}, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
def _write(event, arguments):
    if event == "open" or event.startswith({prefixes!r}):
        os.write(_log, json.dumps([event, [repr(a) for a in arguments]]).encode() + b"\\n")
sys.addaudithook(_write)
"""
OF_FILES = (
    "os.mkdir",
    "os.rename",
    "os.remove",
    "os.rmdir",
    "os.truncate",
    "os.chmod",
    "os.link",
    "os.symlink",
)
OTHERS = (
    "socket.", "subprocess.", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.system", "os.kill",
    "os.chown", "os.setxattr", "pty.", "shutil.", "urllib.", "http.", "ftplib.", "smtplib.",
    "sqlite3.connect",
)  # fmt: skip


@dataclass(frozen=True)
class Did:
    """Something that a process did to files, or beyond itself."""

    what: str
    paths: tuple[str, ...] = ()
    writes: bool = False
    reaches: bool = False


Read = Callable[[], list[Did]]


def has_strace() -> bool:
    """Whether strace is installed and the system lets it trace."""
    if shutil.which("strace") is None:
        return False
    done = subprocess.run(["strace", "-f", "-qq", "true"], capture_output=True, check=False)
    return done.returncode == 0


def by_system(folder: Path, python: Path) -> tuple[Path, Read]:
    """An interpreter whose system calls are written down, and what reads them."""
    log, program = folder / "strace.log", folder / "traced-python"
    calls = ",".join(f"?{name}" for name in sorted({"open", "openat", "openat2"} | CHANGING | REACHING))
    line = f'exec strace -f --seccomp-bpf -qq -o "{log}" -e trace={calls} "{python}" "$@"'
    program.write_text(f"#!/bin/sh\n{line}\n", "utf-8")
    program.chmod(0o755)
    return program, lambda: list(_system_calls(log.read_text("utf-8")))


def _system_calls(text: str) -> Iterator[Did]:
    started = False
    for line in text.splitlines():
        found = re.match(r"\d+ +(\w+)\((.*)", line)
        if found is None:
            continue  # a signal, or the end of a call
        name, rest = found.groups()
        paths = tuple(re.findall(r'"((?:[^"\\]|\\.)*)"', rest))
        if name == "execve" and not started:
            started = True
        elif not (name.startswith("clone") and "CLONE_THREAD" in rest):
            writes = name in CHANGING or WRITING.search(rest) is not None
            yield Did(line, paths, writes, name in REACHING)


def by_python(folder: Path, python: Path) -> tuple[Path, Read]:
    """An interpreter of an environment with an audit hook and the packages of another one."""
    log, home = folder / "audit.log", folder / "audited"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
    (site,) = (home / "lib").glob("python3.*/site-packages")
    (packages,) = python.parent.parent.glob("lib/python3.*/site-packages")
    (site / "packages.pth").write_text(f"{packages}\n", "utf-8")
    prefixes = (*OF_FILES, *OTHERS)
    (site / "sitecustomize.py").write_text(HOOK.format(log=str(log), prefixes=prefixes), "utf-8")
    return home / "bin" / "python", lambda: list(_events(log.read_text("utf-8")))


def _events(text: str) -> Iterator[Did]:
    for line in text.splitlines():
        event, arguments = json.loads(line)
        paths = tuple(each.strip("b'\"") for each in arguments if each.startswith(("'", '"', "b'")))
        if event == "open" and arguments[0].isdigit():
            continue  # a file that is open already
        if event == "open":
            mode, flags = arguments[1].strip("'"), int(arguments[2])
            yield Did(line, paths[:1], any(c in "wax+" for c in mode if mode != "None") or flags & 3 != 0)
        else:
            of_files = event.startswith(OF_FILES)
            yield Did(line, paths, writes=of_files, reaches=not of_files)


TRACERS = {"audit hook": by_python} | ({"strace": by_system} if has_strace() else {})
