#!/usr/bin/env python3
"""Adds a card to a column of the board, below the others: add.py ADDRESS COLUMN TITLE

Written after the page "The format of proposals" alone. It prints the answer of the server.
"""
import base64, json, os, sys, time, urllib.error, urllib.parse, urllib.request, uuid

LIMIT = 1 << 24  # No line and no answer is longer, as in `DeltaLimits`.


def state(browser, address):
    """The state that a follower is given first: a reset."""
    with browser.open(address, timeout=60) as events:
        while line := events.readline(LIMIT + 1):
            assert len(line) <= LIMIT
            field, _, value = line.strip().partition(b": ")
            if field == b"data" and value.startswith(b"{"):
                return json.loads(value)


def proposal(state, name, column, model):
    """The text that appends an item to a section."""
    number = [section["id"] for section in state["sections"]].index(column)
    count = len(state["sections"][number].get("items", []))
    return {
        "format": 1, "id": name, "base": state["target"], "name": "Add",
        "difference": {"itemInserts": [[number, count, count + 1]]},
        "items": [model["id"]], "models": [model],
    }


def send(browser, address, text):
    """The answer; without one the same text is sent again."""
    request = urllib.request.Request(
        address, json.dumps(text).encode(), {"Content-Type": "application/json"})
    while True:
        try:
            with browser.open(request, timeout=60) as answer:
                reply = answer.read(LIMIT + 1)
            assert len(reply) <= LIMIT
            return json.loads(reply)
        except urllib.error.HTTPError:
            raise
        except OSError:
            time.sleep(2)


def add(browser, address, column, model):
    name = base64.urlsafe_b64encode(os.urandom(16)).decode().rstrip("=")
    while True:
        answer = send(browser, address, proposal(state(browser, address), name, column, model))
        if answer["answer"] != "unknownBase":
            return answer


if __name__ == "__main__":
    start, column, title = sys.argv[1:]
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    browser.open(start).close()  # Here the ticket of the address becomes a cookie.
    card = {"id": str(uuid.uuid4()), "title": title, "isDone": False}
    print(json.dumps(add(browser, urllib.parse.urljoin(start, "/lists/board"), column, card)))
