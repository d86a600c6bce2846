"""The page's server gives the run and nothing else, and stays up whatever it is asked and whatever the file is like."""

from __future__ import annotations

import contextlib
import http.client
import json
import shutil
import socket
from urllib.parse import urlsplit

import numpy as np
import pytest
import synthetic

from trundle.errors import TrundleError
from trundle.view.packing import unpack
from trundle.view.server import ViewServer, serve


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return synthetic.write(tmp_path_factory.mktemp("view") / "run.h5", side=3, frames=6, extra=True)


@pytest.fixture
def server(run):
    with ViewServer(run) as server:
        yield server


def ask(server, path, host=None, method="GET", headers=None, key=True):
    path = urlsplit(server.url).path.rstrip("/") + path if key else path
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    connection.putheader("Host", host or f"127.0.0.1:{server.port}")
    for name, value in (headers or {}).items():
        connection.putheader(name, value)
    connection.endheaders()
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response, body


def test_the_page_and_its_files_are_there(server):
    for path, kind in (("/", "text/html"), ("/viewer.js", "text/javascript"), ("/viewer.css", "text/css")):
        response, body = ask(server, path)
        assert response.status == 200
        assert response.headers["Content-Type"].startswith(kind)
        assert len(body) > 1000


def test_the_page_names_no_other_host(server):
    body = ask(server, "/")[1].decode()
    assert "http" not in body
    assert "//" not in body
    policy = ask(server, "/")[0].headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "http" not in policy


def test_it_listens_on_this_machine_only(server):
    assert server.url.startswith(f"http://127.0.0.1:{server.port}/")
    assert server._http.server_address[0] == "127.0.0.1"
    addresses = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    for address in addresses:
        if not address.startswith("127."):
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection((address, server.port), timeout=1)


@pytest.mark.parametrize(
    "path",
    [
        "/../../../../etc/passwd",
        "/..%2f..%2f..%2fetc%2fpasswd",
        "/static/../../server.py",
        "/run.h5",
        "/viewer.js/../run.h5",
        "//etc/passwd",
        "/C:\\Windows\\win.ini",
        "/api/frame/../../../etc/passwd",
        "/api/frame/-1",
        "/api/frame/1e3",
        "/api/frame/" + "9" * 40,
        "/api",
        "/%00",
        "/" + "a" * 5000,
    ],
)
def test_paths_outside_the_run_are_refused(server, path):
    for key, status in ((True, 404), (False, 403)):
        response, body = ask(server, path, key=key)
        assert response.status == status
        assert b"root:" not in body
    assert ask(server, "/api/status")[0].status == 200


def test_without_the_key_nothing_is_given_away(server, run):
    # other users of this machine reach 127.0.0.1 as well
    key = urlsplit(server.url).path.strip("/")
    assert len(key) >= 20
    paths = ["/", "/viewer.js", "/api/head", "/api/frame/0", f"/{key[:-1]}/", f"/{key}x/api/head", f"/x/{key}/"]
    for path in [*paths, f"/?key={key}", f"/{key.swapcase()}/api/head"]:
        response, body = ask(server, path, key=False)
        assert response.status == 403, path
        assert key not in body.decode() + str(response.headers)
    with ViewServer(run) as other:
        assert other.url.split("/")[3] != key
        assert ask(other, f"/{key}/api/head", key=False)[0].status == 403


def test_the_slash_behind_the_key_may_be_missing(server):
    response, body = ask(server, "")
    assert (response.status, body) == (303, b"")
    assert response.headers["Location"] == urlsplit(server.url).path


def test_what_a_command_line_shows_to_other_users_opens_the_page_once(run, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    server = serve(run)
    try:
        key = server.url.split("/")[3]
        assert key not in opened[0]
        path = urlsplit(opened[0]).path
        response, _ = ask(server, path, key=False)
        assert (response.status, response.headers["Location"]) == (303, f"/{key}/")
        assert ask(server, path, key=False)[0].status == 403
        assert ask(server, "/open-None", key=False)[0].status == 403
    finally:
        server.stop()


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example"]
)
def test_other_host_names_are_refused(server, host):
    # DNS rebinding: a foreign name that leads to 127.0.0.1
    for path in ("/", "/api/head", "/api/frame/0"):
        response, body = ask(server, path, host=host)
        assert response.status == 403
        assert "answers only to" in json.loads(body)["error"]


def test_this_machine_may_be_called_localhost(server):
    assert ask(server, "/api/status", host=f"localhost:{server.port}")[0].status == 200


def test_a_missing_or_double_host_is_refused(server):
    for head in (
        "GET /api/head HTTP/1.1\r\n",
        f"GET /api/head HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nHost: evil\r\n",
    ):
        with socket.create_connection(("127.0.0.1", server.port), timeout=5) as link:
            link.sendall((head + "\r\n").encode())
            assert b" 403 " in link.recv(200)


def test_requests_of_other_pages_are_refused(server):
    assert ask(server, "/api/head", headers={"Origin": "https://evil.example"})[0].status == 403
    assert ask(server, "/api/head", headers={"Origin": f"http://127.0.0.1:{server.port}"})[0].status == 200
    assert "Access-Control-Allow-Origin" not in ask(server, "/api/head")[0].headers


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE"])
def test_only_reading_is_allowed(server, method):
    assert ask(server, "/api/head", method=method)[0].status == 405


def test_head_requests_have_no_body(server):
    response, body = ask(server, "/api/frame/0", method="HEAD")
    assert (response.status, body) == (200, b"")
    assert int(response.headers["Content-Length"]) > 100


def test_rubbish_does_not_stop_the_server(server):
    for rubbish in (
        b"\x00\xff\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"x: y\r\n" * 500,
        "GET /é/ HTTP/1.1\r\n\r\n".encode(),
        b"GET /" + b"a" * 1_000_000 + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: " + b"h" * 1_000_000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n" + b"z" * 100_000,
        b"GET / HTTP/1.1\r\n\r\n" * 200 + b"\xff" * 5_000,
    ):
        with socket.create_connection(("127.0.0.1", server.port), timeout=5) as link:
            link.sendall(rubbish)
            link.settimeout(2)
            with contextlib.suppress(OSError):
                link.recv(100)
    assert ask(server, "/api/status")[0].status == 200


def test_what_is_not_there_is_explained(server):
    response, body = ask(server, "/api/frame/6")
    assert response.status == 422
    assert "no frame 6" in json.loads(body)["error"]
    assert "no body 1000" in json.loads(ask(server, "/api/body/1000")[1])["error"]


@pytest.mark.parametrize("damage", ["cut off", "overwritten", "zeros", "empty", "gone"])
def test_a_file_that_is_damaged_while_the_page_is_open_is_explained(run, tmp_path, damage):
    path = tmp_path / "run.h5"
    shutil.copy(run, path)
    with ViewServer(path) as server:
        assert ask(server, "/api/frame/1")[0].status == 200
        data = path.read_bytes()
        rng = np.random.default_rng(3)
        harm = {
            "cut off": data[: len(data) // 2],
            "overwritten": data[:600] + rng.bytes(len(data) - 600),
            "zeros": bytes(len(data)),
            "empty": b"",
        }
        path.unlink() if damage == "gone" else path.write_bytes(harm[damage])
        for address in ("/api/status", "/api/head", "/api/frame/1", "/api/contacts/1", "/api/series", "/api/body/0"):
            response, body = ask(server, address)
            assert response.status == 422, (address, response.status, body[:200])
            assert "run.h5" in json.loads(body)["error"]
        path.write_bytes(data)  # repaired: the page goes on
        assert ask(server, "/api/frame/1")[0].status == 200


def test_flipped_bytes_anywhere_never_stop_the_server(run, tmp_path):
    path = tmp_path / "run.h5"
    data = bytearray(run.read_bytes())
    shutil.copy(run, path)
    rng = np.random.default_rng(4)
    with ViewServer(path) as server:
        for _ in range(40):
            broken = bytearray(data)
            for place in rng.integers(0, min(len(data), 60_000), 200):
                broken[place] ^= 255
            path.write_bytes(broken)
            for address in ("/api/head", "/api/frame/3", "/api/ranges", "/api/series"):
                assert ask(server, address)[0].status in (200, 422, 500)
        path.write_bytes(data)
        assert ask(server, "/api/head")[0].status == 200


def test_files_that_are_no_recordings_are_refused_at_the_start(tmp_path):
    (tmp_path / "text.h5").write_text("hello")
    for name in ("text.h5", "missing.h5"):
        with pytest.raises(TrundleError, match=name):
            ViewServer(tmp_path / name)


def test_a_port_in_use_is_explained(run, server):
    with pytest.raises(TrundleError, match="Port 0 takes a free one"):
        ViewServer(run, port=server.port)


def test_many_browsers_at_once_get_the_same_bytes(server):
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda k: ask(server, f"/api/frame/{k % 6}")[1], range(48)))
    for k, answer in enumerate(answers):
        assert answer == answers[k % 6]
        assert unpack(answer)[0] == {"frame": k % 6}


def test_head_and_body_of_an_answer_are_sent_at_once(server, monkeypatch):
    """Two small pieces wait for each other, 40 ms on every kept-alive request (Nagle's algorithm, delayed acknowledgement)."""
    sent, write = [], socket.SocketIO.write
    monkeypatch.setattr(socket.SocketIO, "write", lambda self, data: (sent.append(bytes(data)), write(self, data))[1])
    where = urlsplit(server.url)
    connection = http.client.HTTPConnection(where.hostname, where.port)
    for _ in range(3):
        connection.request("GET", f"{where.path}api/status")
        assert connection.getresponse().read().startswith(b"{")
    answers = [data for data in sent if data.startswith(b"HTTP/1.1 200")]
    assert len(answers) == 3
    assert all(b"\r\n\r\n{" in data for data in answers)
    connection.close()
