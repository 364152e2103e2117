#!/usr/bin/env python3
"""Makes the pictures of the pages that the documentation shows.

    swift build --package-path Tests/Web --product web
    Tests/Web/pictures.py                  all of the PICTURES
    Tests/Web/pictures.py web-board FILE.png   one of them, to another file
    Tests/Web/pictures.py looks FOLDER     every page, wide and narrow, light and dark, to look at

The lists change by themselves, so no two pictures are the same. Only the standard library of Python is needed,
and on Debian the packages chromium, chromium-driver, fonts-noto-color-emoji and fonts-noto-cjk: without its
fonts, a picture shows boxes in place of emoji and of Hangul.
"""

import base64
import json
import os
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
SERVER = Path(os.environ.get("WEB", PACKAGE / ".build/debug/web"))
SOURCES = PACKAGE.parent.parent / "Sources"
RESOURCES = {
    "web": SOURCES / "DiffableSync/DiffableSync.docc/Resources",
    "service": SOURCES / "Diffable/Diffable.docc/Resources",
}


def gallery(page):
    page.show("gallery")
    page.wait("follower.list.count > 20")
    # Until the writers have brought what is written in other alphabets.
    page.wait("/[가-힣]/.test(document.body.innerText)")


def board(page):
    page.show("board")
    page.wait("follower.list.count === 5")
    page.run("view.proposer.edits.add({ item: 'lamp', fields: { title: 'x'.repeat(101) } })")
    page.wait("document.querySelector('.refused')")
    # The server cannot be reached any longer: what follows waits.
    page.run("follower.close('waiting')")
    for edit in [
        "{ item: 'oil', model: { id: 'oil', title: 'Oil the gate', isDone: false },"
        " place: { section: 'To do', after: 'lamp' } }",
        "{ item: 'gutter', place: { section: 'Doing', after: 'fence' } }",
    ]:
        page.run(f"view.proposer.edits.add({edit})")
    page.run("document.querySelector('[data-key=fence]').focus()")


def plain_board(page):
    page.show("board")
    page.wait("document.querySelectorAll('.card').length === 5")


def two_boards(page):
    """Two pages side by side: in the first one a change waits, and the second one has another."""
    pictures, tabs = [], [page.tab(), page.tab(is_new=True)]
    for tab in tabs:
        page.go_to(tab)
        page.size(495, 640, False)
        plain_board(page)
    page.go_to(tabs[0])
    page.run("follower.close('waiting')")
    page.run("view.proposer.edits.add({ item: 'paint', fields: { title: 'Choose a green paint' } })")
    page.go_to(tabs[1])
    page.run("view.proposer.edits.add({ item: 'gutter', fields: { isDone: true } })")
    page.wait("view.proposer.edits.edits.length === 0")
    for tab in tabs:
        page.go_to(tab)
        pictures.append(page.picture())
    page.close()
    page.go_to(tabs[0])
    images = "".join(
        f"<img src='data:image/png;base64,{base64.b64encode(picture).decode()}'>" for picture in pictures)
    page.size(1000, 640, False)
    page.open("about:blank")
    page.run("document.body.style = 'margin: 0; display: flex; gap: 10px; background: #c8c8c8'")
    page.run(f"document.body.innerHTML = {json.dumps(images)}")


def processes(page):
    page.show("processes")
    page.wait("document.querySelectorAll('[role=option]').length > 5")
    # The longest command is shown in full below the list.
    page.run(
        "[...document.querySelectorAll('[role=option]')].slice(0, 7)"
        ".toSorted((a, b) => b.innerText.length - a.innerText.length)[0].focus()")
    page.wait("!document.querySelector('.detail').hidden")


def rows(page):
    page.show("rows")
    page.wait("document.querySelectorAll('[role=option]').length > 5")


def search(page):
    page.show("gallery")
    page.wait("follower.list.count > 20")
    page.run(
        "((field) => (field.value = 'nothing of the kind', field.dispatchEvent(new Event('input'))))"
        "(document.getElementById('search'))")
    page.wait("!document.querySelector('.empty').hidden")


# What is done before a picture is made, and its width and height.
PICTURES = {
    "web-gallery": (gallery, 900, 557),
    "web-board": (board, 1000, 497),
    "service-4": (plain_board, 1000, 400),
    "service-5": (two_boards, 1000, 640),
}
LOOKS = [processes, gallery, rows, board, search]


class Driver:
    """A browser without a screen, and its page, by https://www.w3.org/TR/webdriver2/."""

    def __init__(self, port, address):
        self.base, self.address = f"http://127.0.0.1:{port}", address
        options = {"args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]}
        capabilities = {"capabilities": {"alwaysMatch": {"goog:chromeOptions": options}}}
        for attempt in range(100):
            try:
                self.session = self.call("POST", "/session", capabilities)["sessionId"]
                break
            except urllib.error.URLError:
                time.sleep(0.1)

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.base + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=60) as reply:
            return json.load(reply)["value"]

    def post(self, command, body):
        return self.call("POST", f"/session/{self.session}/{command}", body)

    def size(self, width, height, is_mobile):
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": is_mobile}
        self.post("goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride", "params": metrics})

    def colours(self, scheme):
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.post("goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": {"features": features}})

    def open(self, address):
        self.post("url", {"url": address})

    def tab(self, is_new=False):
        if is_new:
            return self.post("window/new", {"type": "tab"})["handle"]
        return self.call("GET", f"/session/{self.session}/window")

    def go_to(self, tab):
        self.post("window", {"handle": tab})

    def close(self):
        self.call("DELETE", f"/session/{self.session}/window")

    def show(self, name):
        # Another address than the page has, or it would not be loaded again.
        self.open("about:blank")
        self.open(f"{self.address}#{name}")
        self.wait("follower.state === 'live'")

    def run(self, script):
        return self.post("execute/sync", {"script": f"return {script}", "args": []})

    def wait(self, condition):
        for attempt in range(600):
            if self.run(f"(() => {{ try {{ return !!({condition}) }} catch {{ return false }} }})()"):
                return
            time.sleep(0.1)
        sys.exit(f"not true after a minute: {condition}")

    def picture(self):
        # Until what moves has come to its place.
        time.sleep(1)
        return base64.b64decode(self.call("GET", f"/session/{self.session}/screenshot"))

    def save(self, target):
        target.write_bytes(self.picture())
        print(f"{target}: {target.stat().st_size // 1024} kB")

    def quit(self):
        self.call("DELETE", f"/session/{self.session}")


@contextmanager
def running(command, **options):
    process = subprocess.Popen(command, **options)
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


def check_fonts():
    for language, package in [("und-zsye", "fonts-noto-color-emoji"), ("ko", "fonts-noto-cjk")]:
        found = subprocess.run(["fc-list", f":lang={language}"], capture_output=True, text=True)
        if not found.stdout:
            sys.exit(f"There is no font for what the pictures show: install the package {package}.")


def picture_of(name):
    return RESOURCES[name.split("-")[0]] / f"{name}.png"


@contextmanager
def a_page(*options):
    """A page of a server of its own, whose board is as it was at first."""
    with running(
        [SERVER, "--port", "0", *(options or ["--interval", "0.4"])], stdout=subprocess.PIPE, text=True
    ) as server, running(
        ["chromedriver", "--port=9517"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ):
        page = Driver(9517, server.stdout.readline().split()[1])
        try:
            yield page
        finally:
            page.quit()


def look(folder):
    """Pictures of all pages in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for scheme in ["light", "dark"]:
        for kind, width, height in [("wide", 1280, 800), ("narrow", 390, 844)]:
            with a_page() as page:
                page.colours(scheme)
                page.size(width, height, kind == "narrow")
                for prepare in LOOKS:
                    prepare(page)
                    page.save(folder / f"{prepare.__name__}-{kind}-{scheme}.png")


def main():
    names = sys.argv[1:2] or list(PICTURES)
    check_fonts()
    if names == ["looks"]:
        return look(Path(sys.argv[2]))
    for name in names:
        prepare, width, height = PICTURES[name]
        with a_page() as page:
            page.size(width, height, False)
            prepare(page)
            page.save(Path(sys.argv[2]) if len(sys.argv) > 2 else picture_of(name))


if __name__ == "__main__":
    main()
