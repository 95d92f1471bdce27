"""A worker in Python for procedures of a Fairlead contract, over NATS: the standard library and nothing else. docs/nats.md has the wire in words.

    FAIRLEAD_NATS_SECRET=... npx fairlead worker --nats nats://127.0.0.1:4222 --describe --json > offer.json
    FAIRLEAD_NATS_SECRET=... python3 worker.py 127.0.0.1:4222 offer.json

It answers `probe.list` and `probe.sum` of the project of the conformance suite; put your own procedures into `handlers`.
"""

import base64
import hashlib
import hmac
import json
import os
import socket
import sys
import threading
import time
import uuid

SECRET = os.environ["FAIRLEAD_NATS_SECRET"].encode()
SIGNED = [
    "Fairlead-Timeout-Ms",
    "Fairlead-Principal",
    "traceparent",
    "Idempotency-Key",
    "Fairlead-Attempts",
    "Fairlead-Run",
    "Fairlead-Notes",
    "Last-Event-ID",
    "Fairlead-Credit",
]


class Refused(Exception):
    """A failure that its caller sees, by one of the sixteen codes or as its contract declares it."""

    def __init__(self, code, message, **details):
        super().__init__(message)
        self.wire = {"code": code, "message": message, "retryable": False, **details}


def add(call):
    total = call["a"] + call["b"]
    if total > 1000:
        raise Refused("out_of_range", "the sum is over 1,000", reason="too_big", data={"limit": 1000})
    return total


handlers = {
    "probe.sum": add,
    "probe.list": lambda call: list(range(1, call["count"] + 1)),
}


def sign(lines, body):
    digest = hmac.new(SECRET, "\n".join(lines).encode() + b"\n" + body, hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def is_call(subject, reply, headers, body):
    """Signed by a peer, within the last half minute."""
    sent = headers.get("Fairlead-Time", "")
    lines = ["fairlead-call-1", sent, subject, reply, *(headers.get(name, "") for name in SIGNED)]
    is_fresh = sent.isdigit() and abs(time.time() * 1000 - int(sent)) < 30_000
    return is_fresh and hmac.compare_digest(headers.get("Fairlead-Signature", ""), sign(lines, body))


class Connection:
    """NATS's text protocol, as far as a worker needs it."""

    def __init__(self, address):
        host, port = address.rsplit(":", 1)
        self.socket = socket.create_connection((host, int(port)))
        self.reader = self.socket.makefile("rb")
        self.lock = threading.Lock()
        self.takers = {}
        self.reader.readline()  # INFO
        self.write(b'CONNECT {"verbose":false,"headers":true,"no_responders":true,"name":"python"}\r\n')

    def write(self, data):
        with self.lock:
            self.socket.sendall(data)

    def subscribe(self, subject, take, queue=""):
        sid = str(len(self.takers) + 1)
        self.takers[sid] = take
        self.write(f"SUB {subject} {queue} {sid}\r\n".encode())

    def publish(self, subject, body, headers):
        head = "NATS/1.0\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers.items()) + "\r\n"
        data = head.encode()
        self.write(f"HPUB {subject} {len(data)} {len(data) + len(body)}\r\n".encode() + data + body + b"\r\n")

    def run(self, begun):
        """Reads until the server closes; calls `begun` once it has all subscriptions."""
        self.write(b"PING\r\n")
        while line := self.reader.readline():
            verb, *words = line.decode().split()
            if verb == "PING":
                self.write(b"PONG\r\n")
            elif verb == "PONG":
                begun()
            elif verb == "-ERR":
                raise RuntimeError(line.decode())
            elif verb in ("MSG", "HMSG"):
                subject, sid, *middle = words
                sizes = middle[-2:] if verb == "HMSG" else ["0", middle[-1]]
                reply = middle[0] if len(middle) > (2 if verb == "HMSG" else 1) else ""
                head, total = int(sizes[0]), int(sizes[1])
                data = self.reader.read(total + 2)[:total]
                pairs = (pair.split(":", 1) for pair in data[:head].decode().split("\r\n")[1:] if ":" in pair)
                headers = {name: value.strip() for name, value in pairs}
                self.takers[sid](subject, reply, headers, data[head:])


class Worker:
    def __init__(self, connection, prefix):
        self.connection = connection
        self.prefix = prefix
        self.id = f"python-{uuid.uuid4().hex[:8]}"
        self.here = set()

    def offer(self, name, subject):
        def take(_, reply, headers, body):
            # A thread a call: the reader has to answer meanwhile which calls are here.
            self.here.add(reply)
            threading.Thread(target=self.answer, args=(name, subject, reply, headers, body), daemon=True).start()

        self.connection.subscribe(subject, take, "fairlead")

    def answer(self, name, subject, reply, headers, body):
        try:
            if not is_call(subject, reply, headers, body):
                raise Refused("unauthenticated", "a call over NATS is not signed with this fleet's secret")
            principal = json.loads(base64.urlsafe_b64decode(headers["Fairlead-Principal"] + "=="))
            if "read" not in principal["access"]:
                raise Refused("permission_denied", f"{principal['id']} may not read")
            kind, value = "value", handlers[name](json.loads(body) if body else None)
        except Refused as refused:
            kind, value = "error", refused.wire
        except Exception as error:
            print(f"{name}: {error!r}", file=sys.stderr)
            kind, value = "error", {"code": "internal", "message": f"{name} failed", "retryable": False}
        self.reply(reply, kind, value)
        self.here.discard(reply)

    def reply(self, to, kind, value):
        body = json.dumps(value).encode()
        headers = {} if kind == "value" else {"Fairlead-Reply": f"{kind} 0"}
        headers["Fairlead-Signature"] = sign(["fairlead-reply-1", to, f"{kind} 0", "", ""], body)
        self.connection.publish(to, body, headers)

    def control(self, subject, reply, headers, body):
        """Says which of the calls that a caller asks for are here. A cancelled one goes on: Python has no way to end a thread."""
        lines = ["fairlead-control-1", headers.get("Fairlead-Time", ""), subject]
        if not hmac.compare_digest(headers.get("Fairlead-Signature", ""), sign(lines, body)):
            return
        held = [call for call in json.loads(body).get("holds", []) if call in self.here]
        if held and reply:
            self.reply(reply, "value", held)


def main(address, path):
    with open(path, encoding="utf-8") as file:
        offer = json.load(file)
    worker = Worker(Connection(address), offer["prefix"])
    services = set()
    for procedure in offer["procedures"]:
        if procedure["name"] in handlers:
            worker.offer(procedure["name"], procedure["subject"])
            services.add(procedure["name"].split(".")[0])
    for service in services:
        worker.connection.subscribe(f"{worker.prefix}.control.{service}", worker.control)
    worker.connection.run(lambda: print(f"{worker.id} takes calls", flush=True))


if __name__ == "__main__":
    main(*sys.argv[1:])
