#!/usr/bin/env python3
"""A carrier in one file that implements the Dialplane carrier protocol, version 1.

It sells invented numbers and has all features: inventory, restore, delivery and requirements. It stores everything in SQLite. Each
request is one transaction, and transactions run one after the other. A reference therefore has its effect once, and a
GET waits for a PUT that is in progress.
"""

from __future__ import annotations

import argparse
import hashlib
import hmac
import json
import re
import sqlite3
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote

Json = dict[str, Any]
Check = Callable[[Any, str], Any]  # Takes a value and its name, and returns the value if it is valid.
MAX_CLOCK_DIFFERENCE = 300
MAX_BODY = 8 * 1024 * 1024  # A file of 5 MiB in Base64, and more.
STOCK = (("+4930100", 300, "DE", "local"), ("+43720100", 100, "AT", "national"), ("+80010", 50, None, "toll_free"),
         ("+4940100", 20, "DE", "local"))
REGULATED = "+4940100"  # Numbers that begin like this need evidence.
NEEDS: tuple[Json, ...] = (
    {"id": "address", "type": "address", "description": "Address of the end user in Germany.", "country": "DE",
     "document_kinds": []},
    {"id": "identity", "type": "document", "description": "Proof of identity of the end user.", "country": None,
     "document_kinds": ["identity", "business_registration"]},
)
FEATURES = ["inventory", "restore", "delivery", "requirements"]
TRUNKS = {"trunk-1": "Frankfurt", "trunk-2": "Berlin"}

SCHEMA = """
CREATE TABLE IF NOT EXISTS stock (
    number TEXT PRIMARY KEY, country TEXT, type TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS owned (
    number TEXT PRIMARY KEY, reference TEXT NOT NULL, organisation TEXT NOT NULL, bought_at TEXT NOT NULL, trunk TEXT);
CREATE TABLE IF NOT EXISTS held (
    number TEXT PRIMARY KEY, reference TEXT NOT NULL, organisation TEXT NOT NULL, until REAL NOT NULL);
-- Numbers of orders that wait for evidence.
CREATE TABLE IF NOT EXISTS waiting (
    number TEXT PRIMARY KEY, reference TEXT NOT NULL, organisation TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS submissions (
    reference TEXT PRIMARY KEY, purchase TEXT NOT NULL, number TEXT NOT NULL, requirement TEXT NOT NULL,
    status TEXT NOT NULL, reason TEXT);
CREATE TABLE IF NOT EXISTS order_items (
    reference TEXT, number TEXT, outcome TEXT NOT NULL, PRIMARY KEY (reference, number));
CREATE TABLE IF NOT EXISTS reservation_items (
    reference TEXT, number TEXT, outcome TEXT NOT NULL, PRIMARY KEY (reference, number));
-- bought_as, organisation and bought_at remember who had the number. They are null if there was nothing to return.
CREATE TABLE IF NOT EXISTS releases (
    reference TEXT PRIMARY KEY, number TEXT NOT NULL, bought_as TEXT, organisation TEXT, bought_at TEXT, restore TEXT);
"""


TAKEN = "SELECT number FROM owned UNION ALL SELECT number FROM waiting"


class Problem(Exception):
    """A response that is an error: status, code and message."""


@dataclass
class Request:
    """A signed request."""

    name: str  # The reference or number in the path.
    query: dict[str, str]
    body: Any


def invalid(message: str) -> Problem:
    return Problem(422, "invalid_request", message)


def text(shortest: int, longest: int, pattern: str = "(?s).*") -> Check:
    def check(value: Any, name: str) -> str:
        if not isinstance(value, str) or not shortest <= len(value) <= longest or not re.fullmatch(pattern, value):
            raise invalid(f"{name} must be a text of {shortest} to {longest} characters that matches {pattern}.")
        return value
    return check


def texts(shortest: int, longest: int, entry: Check) -> Check:
    def check(value: Any, name: str) -> list[str]:
        if not isinstance(value, list) or not shortest <= len(value) <= longest:
            raise invalid(f"{name} must be a list of {shortest} to {longest} entries.")
        return list(dict.fromkeys(entry(one, name) for one in value))  # Without duplicates, in the order given.
    return check


def optional(check: Check) -> Check:
    return lambda value, name: None if value is None else check(value, name)


def moment(value: Any, name: str) -> float:
    try:
        return datetime.fromisoformat(text(17, 40, ".*(Z|[+-][0-9]{2}:[0-9]{2})")(value, name)).timestamp()
    except (ValueError, OverflowError):
        raise invalid(f"{name} must be a date and time.") from None


def fields(body: Any, **checks: Check) -> list[Any]:
    """The values of these properties. A later version of the protocol can have more, which are ignored."""
    if not isinstance(body, dict) or not body.keys() >= checks.keys():
        raise invalid(f"The body must be a JSON object with the properties {', '.join(checks)}.")
    return [check(body[name], name) for name, check in checks.items()]


NUMBER = text(7, 16, r"\+[1-9][0-9]{6,14}")
NUMBERS = texts(1, 100, NUMBER)
REFERENCE = text(1, 100)
ORGANISATION = text(0, 36)
DIGITS = text(1, 15, "[0-9]+")


def limit(query: dict[str, str], most: int) -> int:
    return min(most, int(text(1, 9, "[1-9][0-9]*")(query.get("limit", str(most)), "limit")))


def items(outcomes: dict[str, str]) -> Json:
    return {"items": [{"number": number, "outcome": outcome} for number, outcome in outcomes.items()]}


class Carrier:
    """The numbers in stock and those of the account. Every operation takes a request and returns a body."""

    def __init__(self, database: str) -> None:
        self.lock = threading.Lock()
        self.db = sqlite3.connect(database, check_same_thread=False)
        self.db.row_factory = sqlite3.Row
        self.db.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;" + SCHEMA)
        with self.db:
            for prefix, count, country, kind in STOCK:
                rows = [(f"{prefix}{i:05d}", country, kind) for i in range(1, count + 1)]
                self.db.executemany("INSERT OR IGNORE INTO stock VALUES (?, ?, ?)", rows)

    def handle(self, operation: Operation, request: Request) -> Json:
        with self.lock, self.db:  # Commits, or rolls back after an exception.
            self.db.execute("DELETE FROM held WHERE until <= ?", (time.time(),))
            return operation(self, request)

    def row(self, sql: str, *values: Any) -> sqlite3.Row | None:
        return self.db.execute(sql, values).fetchone()

    def on_sale(self, number: str) -> bool:
        """Whether the number is in stock, not sold, and not waiting for evidence. It may be reserved."""
        sql = f"SELECT 1 FROM stock WHERE number = ? AND number NOT IN ({TAKEN})"
        return self.row(sql, number) is not None

    def hold(self, number: str) -> sqlite3.Row | None:
        return self.row("SELECT * FROM held WHERE number = ?", number)

    def recorded(self, table: str, name: str, numbers: list[str]) -> dict[str, str]:
        """The outcomes of a reference. Empty if the reference is new."""
        sql = f"SELECT number, outcome FROM {table} WHERE reference = ? ORDER BY rowid"
        outcomes: dict[str, str] = dict(tuple(row) for row in self.db.execute(sql, (name,)))
        if outcomes and not outcomes.keys() >= set(numbers):
            raise Problem(409, "reference_used", "The reference belongs to other numbers.")
        return outcomes

    def record(self, table: str, name: str, outcomes: dict[str, str]) -> None:
        self.db.executemany(f"INSERT INTO {table} VALUES (?, ?, ?)", [(name, *item) for item in outcomes.items()])

    # All carriers

    def describe(self, request: Request) -> Json:
        return {"protocol": 1, "name": "Carrier in one file", "features": FEATURES}

    def order(self, request: Request) -> Json:
        organisation, numbers, reservations = fields(
            request.body, organisation=ORGANISATION, numbers=NUMBERS, reservations=texts(0, 1000, REFERENCE))
        name = REFERENCE(request.name, "reference")
        outcomes = self.recorded("order_items", name, numbers)
        if not outcomes:
            outcomes = {n: self.buy(n, name, organisation, reservations) for n in numbers}
            self.record("order_items", name, outcomes)
        return items({n: outcomes[n] for n in numbers})

    def buy(self, number: str, order: str, organisation: str, reservations: list[str]) -> str:
        held = self.hold(number)
        mine = held is None or (held["organisation"] == organisation and held["reference"] in reservations)
        if not mine or not self.on_sale(number):
            return "rejected"
        self.db.execute("DELETE FROM held WHERE number = ?", (number,))
        if number.startswith(REGULATED):
            self.db.execute("INSERT INTO waiting VALUES (?, ?, ?)", (number, order, organisation))
            return "pending"
        self.sell(number, order, organisation)
        return "bought"

    def sell(self, number: str, order: str, organisation: str) -> None:
        now = datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        self.db.execute("INSERT INTO owned VALUES (?, ?, ?, ?, NULL)", (number, order, organisation, now))

    def get_order(self, request: Request) -> Json:
        outcomes = self.recorded("order_items", REFERENCE(request.name, "reference"), [])
        if not outcomes:
            raise Problem(404, "unknown", "No order has this reference.")
        return items(outcomes)

    def release_request(self, request: Request) -> tuple[str, str, str | None, sqlite3.Row | None]:
        """Reference, number, `bought_as` and the recorded release."""
        _, number, bought_as = fields(
            request.body, organisation=ORGANISATION, number=NUMBER, bought_as=optional(REFERENCE))
        name = REFERENCE(request.name, "reference")
        known = self.row("SELECT * FROM releases WHERE reference = ?", name)
        if known and known["number"] != number:
            raise Problem(409, "reference_used", "The reference belongs to the release of another number.")
        return name, number, bought_as, known

    def release(self, request: Request) -> Json:
        name, number, bought_as, known = self.release_request(request)
        if not known:
            self.cancel(number, bought_as)
            sql = """DELETE FROM owned WHERE number = ? AND reference = ifnull(?, reference)
                     RETURNING reference, organisation, bought_at"""
            owner = self.row(sql, number, bought_as) or (None, None, None)
            self.db.execute("INSERT INTO releases VALUES (?, ?, ?, ?, ?, NULL)", (name, number, *owner))
        return {"state": "released"}

    def cancel(self, number: str, order: str | None) -> None:
        """A number that waits for evidence is never sold under its order."""
        sql = "DELETE FROM waiting WHERE number = ? AND reference = ifnull(?, reference) RETURNING reference"
        cancelled = self.row(sql, number, order)
        if cancelled:
            self.decide(cancelled["reference"], number, "rejected")

    def decide(self, order: str, number: str, outcome: str) -> None:
        sql = "UPDATE order_items SET outcome = ? WHERE reference = ? AND number = ?"
        self.db.execute(sql, (outcome, order, number))

    def get_release(self, request: Request) -> Json:
        if not self.row("SELECT 1 FROM releases WHERE reference = ?", REFERENCE(request.name, "reference")):
            raise Problem(404, "unknown", "No release has this reference.")
        return {"state": "released"}

    def page(self, request: Request, columns: str) -> Json:
        count = limit(request.query, 1000)
        after = text(1, 1000)(request.query.get("after", "+"), "after")
        sql = f"SELECT {columns} FROM owned WHERE number > ? ORDER BY number LIMIT ?"
        rows = [dict(row) for row in self.db.execute(sql, (after, count + 1))]
        return {"numbers": rows[:count], "next": rows[count - 1]["number"] if len(rows) > count else None}

    # Restore

    def restore(self, request: Request) -> Json:
        name, number, _, release = self.release_request(request)
        if release is None:
            return {"outcome": "not_available"}
        outcome = release["restore"]
        if outcome is None:
            free = release["bought_as"] and self.on_sale(number) and not self.hold(number)
            outcome = "restored" if free else "not_available"
            self.db.execute("UPDATE releases SET restore = ? WHERE reference = ?", (outcome, name))
            if free:
                row = (number, release["bought_as"], release["organisation"], release["bought_at"])
                self.db.execute("INSERT INTO owned VALUES (?, ?, ?, ?, NULL)", row)
        return {"outcome": outcome}

    # Inventory

    def search(self, request: Request) -> Json:
        query = request.query
        conditions = [f"number NOT IN ({TAKEN})", "number NOT IN (SELECT number FROM held)"]
        values: list[Any] = []
        for name, check, condition in (
            ("country", text(2, 2, "[A-Z]{2}"), "country = ?"),
            ("type", text(1, 40), "type = ?"),
            ("contains", DIGITS, "instr(number, ?) > 0"),
            ("prefix", DIGITS, "number LIKE '+' || ? || '%'"),
            ("after", NUMBER, "number > ?"),
        ):
            if name in query:
                conditions.append(condition)
                values.append(check(query[name], name))
        sql = f"SELECT * FROM stock WHERE {' AND '.join(conditions)} ORDER BY number LIMIT ?"
        rows = self.db.execute(sql, (*values, limit(query, 2000)))
        return {"numbers": [{**dict(row), "capabilities": ["voice"]} for row in rows]}

    def reserve(self, request: Request) -> Json:
        organisation, numbers, until = fields(
            request.body, organisation=ORGANISATION, numbers=NUMBERS, until=moment)
        name = REFERENCE(request.name, "reference")
        outcomes = self.recorded("reservation_items", name, numbers)
        if not outcomes:
            free = {n: self.on_sale(n) and not self.hold(n) for n in numbers}
            outcomes = {n: "available" if free[n] else "not_available" for n in numbers}
            self.record("reservation_items", name, outcomes)
            if all(free.values()):
                held = [(n, name, organisation, until) for n in numbers]
                self.db.executemany("INSERT INTO held VALUES (?, ?, ?, ?)", held)
        return items(outcomes)

    def cancel_reservation(self, request: Request) -> Json:
        self.db.execute("DELETE FROM held WHERE reference = ?", (REFERENCE(request.name, "reference"),))
        return {}

    # Delivery

    def trunks(self, request: Request) -> Json:
        return {"trunks": [{"id": trunk, "name": name} for trunk, name in TRUNKS.items()]}

    def deliver(self, request: Request) -> Json:
        (trunk,) = fields(request.body, trunk=text(1, 100))
        self.get_delivery(request)
        if trunk not in TRUNKS:
            raise Problem(422, "unknown_trunk", f"The account has no trunk {trunk}.")
        self.db.execute("UPDATE owned SET trunk = ? WHERE number = ?", (trunk, request.name))
        return {"trunk": trunk}

    def get_delivery(self, request: Request) -> Json:
        row = self.row("SELECT trunk FROM owned WHERE number = ?", NUMBER(request.name, "number"))
        if row is None:
            raise Problem(404, "unknown", f"The account does not have {request.name}.")
        return dict(row)


    # Requirements

    def requirements(self, request: Request) -> Json:
        order = REFERENCE(request.name, "reference")
        numbers = self.recorded("order_items", order, [])
        if not numbers:
            raise Problem(404, "unknown", "No order has this reference.")
        return {"requirements": [
            {"number": number, **need, **self.last_submission(order, number, need["id"])}
            for number, outcome in numbers.items() if number.startswith(REGULATED) and outcome != "rejected"
            for need in NEEDS]}

    def last_submission(self, order: str, number: str, requirement: str) -> Json:
        sql = """SELECT status, reason, reference AS submission FROM submissions
                 WHERE purchase = ? AND number = ? AND requirement = ? ORDER BY rowid DESC"""
        last = self.row(sql, order, number, requirement)
        return dict(last) if last else {"status": "missing", "reason": None, "submission": None}

    def submit(self, request: Request) -> Json:
        order, number, requirement, address, document = fields(
            request.body, order=REFERENCE, number=NUMBER, requirement=text(1, 100), address=entry, document=entry)
        name = REFERENCE(request.name, "reference")
        known = self.row("SELECT * FROM submissions WHERE reference = ?", name)
        if known and (known["number"], known["requirement"]) != (number, requirement):
            raise Problem(409, "reference_used", "The reference belongs to another submission.")
        if not known:
            waiting = self.row("SELECT * FROM waiting WHERE number = ? AND reference = ?", number, order)
            need = next((need for need in NEEDS if need["id"] == requirement), None)
            evidence = document if need and need["type"] == "document" else address
            if waiting is None or need is None or evidence is None:
                raise Problem(422, "not_required", "The order does not need this evidence.")
            status, reason = review(need, evidence)
            row = (name, order, number, requirement, status, reason)
            self.db.execute("INSERT INTO submissions VALUES (?, ?, ?, ?, ?, ?)", row)
            self.sell_if_complete(waiting)
            known = self.row("SELECT * FROM submissions WHERE reference = ?", name)
        return {"status": known["status"], "reason": known["reason"]}

    def sell_if_complete(self, waiting: sqlite3.Row) -> None:
        number, order, organisation = waiting
        if all(self.last_submission(order, number, need["id"])["status"] == "accepted" for need in NEEDS):
            self.db.execute("DELETE FROM waiting WHERE number = ?", (number,))
            self.sell(number, order, organisation)
            self.decide(order, number, "bought")


def entry(value: Any, name: str) -> Json | None:
    if value is not None and not isinstance(value, dict):
        raise invalid(f"{name} must be an object or null.")
    return value


def review(need: Json, evidence: Json) -> tuple[str, str | None]:
    """A real carrier has people who review it. This one decides at once, and keeps no evidence."""
    if need["type"] == "address" and evidence.get("country") != need["country"]:
        return "rejected", f"The address is not in {need['country']}."
    if need["type"] == "document" and evidence.get("kind") not in need["document_kinds"]:
        return "rejected", "The document is of another kind."
    return "accepted", None


Operation = Callable[[Carrier, Request], Json]

# Method, first part of the path, and whether a reference or number follows.
OPERATIONS: dict[tuple[str, str, bool], Operation] = {
    ("GET", "carrier", False): Carrier.describe,
    ("PUT", "orders", True): Carrier.order,
    ("GET", "orders", True): Carrier.get_order,
    ("PUT", "releases", True): Carrier.release,
    ("GET", "releases", True): Carrier.get_release,
    ("GET", "numbers", False): lambda self, request: self.page(request, "number, reference, organisation, bought_at"),
    ("PUT", "restores", True): Carrier.restore,
    ("GET", "available", False): Carrier.search,
    ("PUT", "reservations", True): Carrier.reserve,
    ("DELETE", "reservations", True): Carrier.cancel_reservation,
    ("GET", "trunks", False): Carrier.trunks,
    ("PUT", "deliveries", True): Carrier.deliver,
    ("GET", "deliveries", True): Carrier.get_delivery,
    ("GET", "requirements", True): Carrier.requirements,
    ("PUT", "submissions", True): Carrier.submit,
    ("GET", "deliveries", False): lambda self, request: self.page(request, "number, trunk"),
}


class Handler(BaseHTTPRequestHandler):
    """HTTP: reads the request, checks the signature, and writes the response."""

    protocol_version = "HTTP/1.1"
    timeout = 60
    wbufsize = -1  # Headers and body leave in one packet.
    server: Server

    def handle(self) -> None:
        with suppress(ConnectionError):  # Dialplane closed the connection. It repeats the request.
            super().handle()

    def respond(self) -> None:
        try:
            status, body = 200, self.process()
        except Problem as problem:
            status, body = problem.args[0], {"code": problem.args[1], "message": problem.args[2][:1000]}
        except (ConnectionError, TimeoutError):
            raise
        except Exception:
            traceback.print_exc()
            status, body = 500, {"code": "internal_error", "message": "The server failed."}
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_PUT = do_DELETE = do_POST = do_PATCH = respond

    def process(self) -> Json:
        body = self.read_body()
        self.check_signature(body)
        path, _, query = self.path.partition("?")
        resource, slash, name = path[1:].partition("/")
        operation = OPERATIONS.get((self.command, resource, bool(slash)))
        if operation is None or "/" in name:
            raise Problem(404, "no_such_operation", f"There is no {self.command} {path}.")
        parameters = dict(parse_qsl(query.replace("+", "%2B"), keep_blank_values=True))
        try:
            content = json.loads(body) if body else None
        except (ValueError, RecursionError):
            raise invalid("The body is not JSON.") from None
        return self.server.carrier.handle(operation, Request(unquote(name), parameters, content))

    def read_body(self) -> bytes:
        length = self.headers.get("Content-Length", "0")
        if "Transfer-Encoding" in self.headers or not length.isdecimal() or int(length) > MAX_BODY:
            self.close_connection = True
            raise Problem(413, "too_large", f"Send at most {MAX_BODY} bytes, with a Content-Length.")
        return self.rfile.read(int(length))

    def check_signature(self, body: bytes) -> None:
        timestamp = self.headers.get("Dialplane-Timestamp", "")
        signed = f"{timestamp}.{self.command}.{self.path}.".encode("latin-1", "replace") + body
        expected = "v1=" + hmac.new(self.server.secret, signed, hashlib.sha256).hexdigest()
        given = self.headers.get("Dialplane-Signature", "").encode("latin-1", "replace")
        fresh = re.fullmatch("[0-9]{1,12}", timestamp) and abs(time.time() - int(timestamp)) <= MAX_CLOCK_DIFFERENCE
        if not hmac.compare_digest(expected.encode(), given) or not fresh:
            raise Problem(401, "invalid_signature", "The signature is missing, wrong, or older than 5 minutes.")


class Server(ThreadingHTTPServer):
    request_queue_size = 128

    def __init__(self, port: int, carrier: Carrier, secret: bytes) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.carrier, self.secret = carrier, secret


def main() -> None:
    parser = argparse.ArgumentParser(description="Runs a carrier that implements the Dialplane carrier protocol.")
    parser.add_argument("--port", type=int, default=8090, help="0 for any free port")
    parser.add_argument("--secret-file", type=Path, required=True, help="file with the secret shared with Dialplane")
    parser.add_argument("--database", default=":memory:", help="SQLite file (default: in memory)")
    arguments = parser.parse_args()
    secret = arguments.secret_file.read_bytes().strip()
    server = Server(arguments.port, Carrier(arguments.database), secret)
    print(f"The carrier listens on http://127.0.0.1:{server.server_port}.", flush=True)
    with suppress(KeyboardInterrupt):
        server.serve_forever()


if __name__ == "__main__":
    main()
