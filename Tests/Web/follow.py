#!/usr/bin/env python3
"""Follows a list of the server, and prints its rows after each delta: follow.py ADDRESS LIST

Written after the pages "Following from elsewhere" and "The format of deltas", for lists without outlines.
It connects again after a cut or a silence, and stops at a delta that does not fit.
"""
import contextlib, json, sys, time, urllib.parse, urllib.request, uuid

LIMIT = 1 << 24  # No line is longer, as in `DeltaLimits`.


def apply(delta, sections):
    place = lambda at: (at["section"], at["item"]) if isinstance(at, dict) else (at,)
    parent = lambda at: sections[at[0]].setdefault("items", []) if len(at) == 2 else sections
    change, gone, new = delta.get("difference", {}), [], {}
    if "base" not in delta:
        sections[:], change = [], {"sectionInserts": [[0, delta["counts"]["sections"]]]}
    for kind in "item", "section":
        places = lambda what: ((*at, n) for *at, a, b in change.get(kind + what, []) for n in range(a, b))
        gone += places("Deletes")
        new |= zip(places("Inserts"), delta.get(kind + "s", []))
        for move in change.get(kind + "Moves", []):
            gone.append(place(move["from"]))
            new[place(move["to"])] = parent(gone[-1])[gone[-1][-1]]
    for _, at in sorted(((len(at), at) for at in gone), reverse=True):
        del parent(at)[at[-1]]
    for _, at in sorted((len(at), at) for at in new):
        parent(at).insert(at[-1], new[at])
    # A new item may have the identifier that another one had before, so it is the place that is renamed.
    names = {rename["old"]: rename["new"] for rename in delta.get("renamedItems", [])}
    for section, a, b in change.get("itemRenames", []):
        items = sections[section]["items"]
        items[a:b] = [names[item] for item in items[a:b]]


def follow(browser, address):
    token, sections, models = "", [], {}
    while True:
        request = urllib.request.Request(address, headers={"Last-Event-ID": token})
        with contextlib.suppress(OSError):
            events = browser.open(request, timeout=60)
            while line := events.readline(LIMIT + 1):
                assert len(line) <= LIMIT
                field, _, value = line.strip().partition(b": ")
                if value == b"end":
                    return
                if field == b"data" and line.endswith(b"\n"):
                    delta = json.loads(value)
                    assert delta["format"] == 1 and delta.get("base", token) == token
                    apply(delta, sections)
                    items = [item for section in sections for item in section.get("items", [])]
                    assert len(items) == delta["counts"]["items"]
                    models |= {model["id"]: model for model in delta.get("models", [])}
                    models = {item: models[item] for item in items}
                    token = delta["target"]
                    yield "base" not in delta, sections, models
        time.sleep(2)


if __name__ == "__main__":
    start, name = sys.argv[1:]
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    browser.open(start).close()  # Here the ticket of the address becomes a cookie.
    stream = urllib.parse.urljoin(start, f"/lists/{name}?page={uuid.uuid4()}")
    for is_reset, sections, models in follow(browser, stream):
        rows = [[section["id"], [models[item] for item in section.get("items", [])]]
                for section in sections]
        print(json.dumps({"reset": is_reset, "rows": rows}), flush=True)
