#!/usr/bin/env python3
"""Follows a list of the server, and prints its rows after each delta: follow.py ADDRESS LIST

Written after the pages "Following from elsewhere" and "The format of deltas". Lists only, no outlines.
"""
import http.cookiejar, json, sys, time, urllib.parse, urllib.request, uuid


def numbers(ranges):
    return [(*section, n) for *section, first, end in ranges or [] for n in range(first, end)]


def replaced(old, gone, coming):
    staying = iter([value for n, value in enumerate(old) if n not in gone])
    return [coming[n] if n in coming else next(staying)
            for n in range(len(old) - len(gone) + len(coming))]


def changed(old, delta):
    """The sections after a delta: pairs of an identifier and a list of items."""
    change, gone, coming = delta.get("difference", {}), {}, {}
    for section, n in numbers(change.get("itemDeletes")):
        gone.setdefault(section, set()).add(n)
    for (section, n), item in zip(numbers(change.get("itemInserts")), delta.get("items", [])):
        coming.setdefault(section, {})[n] = item
    for start, end in ((move["from"], move["to"]) for move in change.get("itemMoves", [])):
        gone.setdefault(start["section"], set()).add(start["item"])
        item = old[start["section"]][1][start["item"]]
        coming.setdefault(end["section"], {})[end["item"]] = item
    moves = {move["to"]: move["from"] for move in change.get("sectionMoves", [])}
    left = {n for n, in numbers(change.get("sectionDeletes"))} | set(moves.values())
    made = [(section["id"], section.get("items", [])) for section in delta.get("sections", [])]
    arrived = dict(zip([n for n, in numbers(change.get("sectionInserts"))], made))
    places = replaced(range(len(old)), left, arrived | moves) if "base" in delta else made
    return [(old[place][0], replaced(old[place][1], gone.get(place, ()), coming.get(n, {})))
            if isinstance(place, int) else place for n, place in enumerate(places)]


def follow(browser, address):
    token, sections, models, pause = None, [], {}, 2
    while True:
        try:
            headers = {"Last-Event-ID": token} if token else {}
            name, data = "", []
            for line in browser.open(urllib.request.Request(address, headers=headers), timeout=60):
                field, _, value = line.decode().rstrip("\r\n").partition(":")
                value = value.removeprefix(" ")
                if field == "retry":
                    pause = int(value) / 1000
                elif field == "event":
                    name = value
                elif field == "data":
                    data.append(value)
                elif not field and name == "end":
                    return
                elif not field and name == "delta":
                    delta = json.loads("\n".join(data))
                    if delta["format"] != 1 or "base" in delta and delta["base"] != token:
                        raise ValueError("The delta does not fit.")
                    new = changed(sections, delta)
                    if [len(new), sum(len(items) for _, items in new)] != [
                            delta["counts"]["sections"], delta["counts"]["items"]]:
                        raise ValueError("The counts differ.")
                    token, sections = delta["target"], new
                    models |= {model["id"]: model for model in delta.get("models", [])}
                    yield "base" not in delta, sections, models
                if not field:
                    name, data = "", []
        except (ValueError, LookupError, RuntimeError) as error:
            print(error, file=sys.stderr)
            token = None
        except OSError as error:
            print(error, file=sys.stderr)
        time.sleep(pause)


if __name__ == "__main__":
    start, name = sys.argv[1:]
    cookies = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
    browser = urllib.request.build_opener(cookies)
    browser.open(start).close()  # Here the ticket of the address becomes a cookie.
    stream = urllib.parse.urljoin(start, f"/lists/{name}?page={uuid.uuid4()}")
    for is_reset, sections, models in follow(browser, stream):
        rows = [[section, [models[item] for item in items]] for section, items in sections]
        print(json.dumps({"reset": is_reset, "rows": rows}), flush=True)
