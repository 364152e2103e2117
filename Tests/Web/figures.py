#!/usr/bin/env python3
"""Measures what followers over HTTP cost, on this machine: swift build -c release; ./figures.py

Each figure is compared with one of the same run: what the server framework costs by itself.
"""
import json, pathlib, resource, socket, statistics, subprocess, sys, time

CLIENTS, STALLED, CHANGES = 2000, 200, 1000
here = pathlib.Path(__file__).parent
scratch = sys.argv[1] if len(sys.argv) > 1 else here / ".build"
resource.setrlimit(resource.RLIMIT_NOFILE, (8192, max(8192, resource.getrlimit(resource.RLIMIT_NOFILE)[1])))


class Server:
    def __enter__(self):
        self.process = subprocess.Popen([f"{scratch}/release/figures"], stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def memory(self):
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return next(int(line.split()[1]) for line in text.splitlines() if line.startswith("VmRSS")) * 1024  # In KiB.

    def ask(self, path, end=None, connection=None):
        """Sends a request; reads until the reply has a text."""
        connection = connection or socket.create_connection(("127.0.0.1", self.port))
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.sendall(f"GET /{path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode())
        text = b""
        while end and end not in text:
            text += connection.recv(65536)
        return connection


def memory(path, end):
    """What one more idle client costs, after as many have already warmed everything up."""
    with Server() as server:
        first = [server.ask(path, end) for _ in range(CLIENTS // 4)]
        before = server.memory()
        more = [server.ask(path, end) for _ in range(CLIENTS)]
        time.sleep(1)
        return (server.memory() - before) / len(more), first


def delays(server, size=0):
    """How long it takes from a change to the bytes at a client, and a round trip, in microseconds."""
    stream, control = server.ask("list", b"}\n\n"), server.ask("ping", b"pong")
    changes, trips = [], []
    for _ in range(CHANGES):
        start = time.monotonic_ns()
        server.ask("ping", b"pong", control)
        trips.append(time.monotonic_ns() - start)
        server.ask(f"change?size={size}", b"\r\n\r\n", control)
        text = b""
        # There may be a heartbeat before it.
        while b"data: " not in text or not text.endswith(b"\n\n\r\n"):
            text += stream.recv(1 << 20)
            arrival = time.monotonic_ns()
        line = next(line for line in text.split(b"\n") if line.startswith(b"data: "))
        changes.append(arrival - json.loads(line[6:])["models"][0]["time"])
    return statistics.median(changes) / 1000, statistics.median(trips) / 1000


plain, _ = memory("idle", b":\n\n")
listed, _ = memory("list", b"}\n\n")
print(f"memory of an idle client: list {listed / 1024:.1f} KiB, bare stream {plain / 1024:.1f} KiB, "
      f"difference {(listed - plain) / 1024:.1f} KiB")
with Server() as server:
    change, trip = delays(server)
    print(f"change to client: {change:.0f} µs, round trip {trip:.0f} µs, ratio {change / trip:.2f}")
    stalled = [server.ask("list") for _ in range(STALLED)]
    # Until nothing more fits into the buffers between the server and those who do not read.
    loaded, loaded_trip = delays(server, 16384)
with Server() as server:
    free, free_trip = delays(server, 16384)
print(f"changes of 16 KiB: {loaded:.0f} µs beside {STALLED} clients that do not read ({loaded_trip:.0f} µs round trip), "
      f"{free:.0f} µs without them ({free_trip:.0f} µs), ratio {loaded / free:.2f}")
