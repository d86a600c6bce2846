"""The page's server: on this machine only, for this user only, and nothing but one run and the page itself.

What can be asked for is a fixed list of addresses (`_static`, `_answers`), never a path of the file system. Every address
begins with a random key, since other users of the machine reach 127.0.0.1 as well.
"""

from __future__ import annotations

import atexit
import contextlib
import gzip
import json
import os
import re
import secrets
import sys
import threading
import webbrowser
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from pathlib import Path
from typing import Any

from trundle.errors import TrundleError
from trundle.view.drape import Drape
from trundle.view.source import RunSource

ADDRESS = "127.0.0.1"
TYPES = {
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
}
STATIC = ("index.html", "viewer.js", "viewer.css", "icon.svg")
PACKED, JSON = "application/octet-stream", "application/json"
KEY_BYTES = 16
PATIENCE = 30.0  # seconds a silent connection is kept
POLICY = "Content-Security-Policy"
ORIGIN = re.compile(r"https?://(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\])(?::[0-9]{1,5})?")
HEADERS = {
    # No scripts, pictures or connections from or to anywhere else.  The page evaluates no text itself; unsafe-eval is for
    # browser automation, which waits for expressions.
    POLICY: "default-src 'none'; script-src 'self' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' blob: data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors ",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}

Answer = tuple[int, str, bytes]


class ViewServer:
    """Serves one recording to browsers on this machine.

    >>> with ViewServer("run.h5") as server:
    ...     print(server.url)  # http://127.0.0.1:43121/KEY/

    port : 0 takes a free one
    frame_ancestors : origins of pages that may show this one in a frame, such as that of a notebook
    drapes, look : see `RunSource`
    """

    def __init__(
        self, path: str | Path, port: int = 0, frame_ancestors: Sequence[str] = (), drapes: Sequence[Drape] = (),
        look: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        self.headers = {**HEADERS, POLICY: HEADERS[POLICY] + _ancestors(frame_ancestors)}
        self.kept: object = None  # what has to live as long as the server
        self.source = RunSource(path, drapes, look)
        self._key = secrets.token_urlsafe(KEY_BYTES)
        self._ticket: str | None = None
        self._lock = threading.Lock()
        self._static = _load_static()
        try:
            self._http = _Server((ADDRESS, port), self)
        except (OSError, OverflowError) as error:
            self.source.close()
            reason = getattr(error, "strerror", None) or error
            raise TrundleError(
                f"port {port} of {ADDRESS} cannot be used ({reason}). Port 0 takes a free one."
            ) from error
        self._thread: threading.Thread | None = None

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self._http.server_address[1])

    @property
    def url(self) -> str:
        """Address of the page, with the key: whoever has it can read the run."""
        return f"http://{ADDRESS}:{self.port}/{self._key}/"

    def ticket_url(self) -> str:
        """An address that leads to the page once: for command lines, which other users can read."""
        self._ticket = secrets.token_urlsafe(KEY_BYTES)
        return f"http://{ADDRESS}:{self.port}/open-{self._ticket}"

    def start(self) -> ViewServer:
        """Answer requests in the background."""
        self._thread = threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": 0.05}, name="trundle-view", daemon=True
        )
        self._thread.start()
        atexit.register(self.stop)  # HDF5 does not survive a file that is open when Python ends
        return self

    def stop(self) -> None:
        """Answer no more."""
        atexit.unregister(self.stop)
        if self._thread is not None:
            self._http.shutdown()
            self._thread.join()
        self._http.server_close()
        self.source.close()

    def wait(self) -> None:
        """Go on until Ctrl-C."""
        while self._thread is not None and self._thread.is_alive():
            self._thread.join(0.5)

    def __enter__(self) -> ViewServer:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def hosts(self) -> tuple[str, ...]:
        """Names under which a browser on this machine may ask."""
        names = (ADDRESS, "localhost")
        return tuple(f"{name}:{self.port}" for name in names) + (names if self.port == 80 else ())

    def answer(self, path: str) -> Answer:
        """Status, type and bytes for an address without its query; for a redirection, the bytes are the new address."""
        first, slash, rest = path.removeprefix("/").partition("/")
        if not _same(first, self._key):
            return self._admit(path)
        if not slash:
            return int(HTTPStatus.SEE_OTHER), TYPES["html"], f"/{self._key}/".encode()
        path = f"/{rest}"
        if path in self._static:
            return self._static[path]
        for pattern, work in self._answers():
            match = re.fullmatch(pattern, path)
            if match:
                return self._try(work, *(int(number) for number in match.groups()))
        return _message(HTTPStatus.NOT_FOUND, "There is nothing here. The page is at the address that was printed.")

    def _admit(self, path: str) -> Answer:
        """To the page with a ticket that nobody has used; away with everything else."""
        with self._lock:
            if self._ticket is not None and _same(path, f"/open-{self._ticket}"):
                self._ticket = None
                return int(HTTPStatus.SEE_OTHER), TYPES["html"], f"/{self._key}/".encode()
        text = "This address has no key, or an old one. The one that `trundle view` printed in the terminal leads to the page."
        return _message(HTTPStatus.FORBIDDEN, text)

    def _answers(self) -> tuple[tuple[str, Callable[..., bytes | dict[str, Any]]], ...]:
        source, number = self.source, r"([0-9]{1,9})"
        return (
            (r"/api/status", source.status),
            (r"/api/times", source.times),
            (r"/api/head", source.head),
            (r"/api/ranges", source.ranges),
            (r"/api/series", source.series),
            (r"/api/paths", source.paths),
            (rf"/api/frame/{number}", source.frame),
            (rf"/api/contacts/{number}", source.contacts),
            (rf"/api/body/{number}", source.history),
        )

    @staticmethod
    def _try(work: Callable[..., bytes | dict[str, Any]], *numbers: int) -> Answer:
        """What the source says, or its explanation; nothing that is wrong with a file stops the server."""
        try:
            result = work(*numbers)
        except TrundleError as error:
            return _message(HTTPStatus.UNPROCESSABLE_ENTITY, str(error))
        except Exception as error:
            return _message(HTTPStatus.INTERNAL_SERVER_ERROR, f"{type(error).__name__}: {error}")
        if isinstance(result, bytes):
            return HTTPStatus.OK, PACKED, result
        return HTTPStatus.OK, JSON, json.dumps(result).encode()


def can_show_a_browser() -> bool:
    """Whether opening a browser makes sense: not over ssh or without a screen."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def serve(
    path: str | Path, port: int = 0, open_browser: bool = True, drapes: Sequence[Drape] = (),
    look: Mapping[str, Any] | None = None,
) -> ViewServer:  # fmt: skip
    """Serve a recording, and open it in the user's browser; returns the running server."""
    server = ViewServer(path, port, drapes=drapes, look=look).start()
    if open_browser:
        with contextlib.suppress(webbrowser.Error):
            webbrowser.open(server.ticket_url())
    return server


def static_text(name: str) -> str:
    """A file of the page, as text."""
    file = resources.files("trundle.view") / "static" / name
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise TrundleError(
            f"the page's file {name} is missing from this installation. Reinstall trundle, or build it: make page."
        ) from error


def _load_static() -> dict[str, Answer]:
    answers = {}
    for name in STATIC:
        kind = TYPES[name.rsplit(".", 1)[1]]
        answers["/" if name == "index.html" else f"/{name}"] = (int(HTTPStatus.OK), kind, static_text(name).encode())
    return answers


def _ancestors(origins: Sequence[str]) -> str:
    """Who may frame the page, as the policy says it; nobody by default."""
    for origin in origins:
        if not ORIGIN.fullmatch(origin):
            raise TrundleError(f"origin = {origin!r} must be the address of a server, such as 'http://localhost:8888'.")
    return " ".join(origins) or "'none'"


def _same(given: str, expected: str) -> bool:
    """Whether two texts are equal, in a time that does not tell how much of them is."""
    return secrets.compare_digest(given.encode("utf-8", "replace"), expected.encode())


def _message(status: int, text: str) -> Answer:
    return int(status), JSON, json.dumps({"error": text}).encode()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, address: tuple[str, int], owner: ViewServer) -> None:
        self.owner = owner
        super().__init__(address, _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that closes a connection is no error worth a traceback."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "trundle"
    sys_version = ""
    timeout = PATIENCE
    wbufsize = (
        -1
    )  # head and body in one piece: two small ones wait for each other, 40 ms (Nagle, delayed acknowledgement)
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        self._respond(body=True)

    def do_HEAD(self) -> None:
        self._respond(body=False)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("do_"):  # every other method
            return lambda: self._send(
                _message(HTTPStatus.METHOD_NOT_ALLOWED, "Only GET and HEAD."), body=True, close=True
            )
        raise AttributeError(name)

    def _respond(self, body: bool) -> None:
        server: Any = self.server
        owner: ViewServer = server.owner
        host = self.headers.get("Host", "").lower()
        if host not in owner.hosts() or len(self.headers.get_all("Host", [])) != 1:
            # Another name that leads here is how a foreign page would read the run (DNS rebinding).
            text = f"This server answers only to {' and '.join(owner.hosts())}, not to the host name {host[:100]!r}."
            self._send(_message(HTTPStatus.FORBIDDEN, text), body, close=True)
            return
        origin = self.headers.get("Origin")
        if origin is not None and origin.lower() not in {f"http://{name}" for name in owner.hosts()}:
            self._send(_message(HTTPStatus.FORBIDDEN, "Requests of other pages are refused."), body, close=True)
            return
        self._send(owner.answer(self.path.split("?", 1)[0]), body)

    def _send(self, answer: Answer, body: bool, close: bool = False) -> None:
        status, kind, data = answer
        owner: ViewServer = self.server.owner  # type: ignore[attr-defined]
        packed = kind != PACKED and len(data) > 1_000 and "gzip" in self.headers.get("Accept-Encoding", "")
        data = gzip.compress(data, 1) if packed else data
        self.send_response(status)
        if status == HTTPStatus.SEE_OTHER:
            self.send_header("Location", data.decode())
            data = b""
        for name, value in {"Content-Type": kind, "Content-Length": str(len(data)), **owner.headers}.items():
            self.send_header(name, value)
        if packed:
            self.send_header("Content-Encoding", "gzip")
        if close:
            self.send_header("Connection", "close")
            self.close_connection = True
        self.end_headers()
        if body:
            self.wfile.write(data)

    def log_message(self, format: str, *arguments: Any) -> None:
        """Say nothing: the terminal belongs to the user."""
