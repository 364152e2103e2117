// The page and the element that the documentation shows, as they are pasted, in Chromium.
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { after, before, test } from "node:test"

import { Chromium, options } from "./chromium.mjs"
import { FollowedList } from "../../../Sources/DiffableWeb/Modules/list.js"

const sources = new URL("../../../Sources/DiffableWeb/", import.meta.url)
const article = (name) => readFileSync(new URL(`DiffableWeb.docc/${name}.md`, sources), "utf8")
const [, page] = article("AListInAPage").match(/```html\n([^]*?)```/)
const element = [...article("AListInAFramework").matchAll(/```js\n([^]*?)```/g)].map(([, code]) => code)
  .find((code) => code.includes("customElements"))
const elementPage = `<!doctype html><live-list path="errands"><template><li><span data-field="title"></span></li>
  </template></live-list><script type="module">${element}</script>`

/** A server whose only writer is the page: it makes each proposal as it is. */
function serve(list) {
  const streams = new Set()
  let count = 0
  const send = (stream, delta) => stream.write(`event: delta\ndata: ${JSON.stringify(delta)}\n\n`)
  return createServer(async ({ method, url }, response) => {
    const [path] = url.split("?")
    const type = (text) => response.setHeader("Content-Type", text)
    if (path === "/" || path === "/element") {
      type("text/html; charset=utf-8")
      return response.end(path === "/" ? page : elementPage)
    }
    if (path.startsWith("/diffable/")) {
      type("text/javascript")
      return response.end(readFileSync(new URL(path.replace("/diffable", "Modules"), sources)))
    }
    if (path !== "/errands") return response.writeHead(404).end()
    if (method === "HEAD") return response.end()
    if (method === "GET") {
      type("text/event-stream")
      if (isSilent) return response.flushHeaders()
      streams.add(response)
      return send(response, list.wholeState)
    }
    let body = ""
    for await (const piece of response.req) body += piece
    const { id, base, ...change } = JSON.parse(body)
    assert.equal(base, list.token)
    count += 1
    const deletes = change.difference?.itemDeletes ? 1 : 0
    const counts = { sections: 1, items: list.count + (change.items?.length ?? 0) - deletes }
    const delta = { ...change, base, target: `t${count}`, counts, proposals: [id] }
    list.apply(delta)
    for (const stream of streams) send(stream, delta)
    type("application/json")
    response.end(JSON.stringify({ answer: "accepted", token: delta.target, delta }))
  })
}

const list = new FollowedList()
const server = serve(list)
const chromium = new Chromium()
let address
/** Whether a stream says nothing. */
let isSilent = false

const value = (script) => chromium.value(script)
const open = (path) => chromium.open(address + path)
/** Waits until the page shows rows; looks whenever the browser draws. */
const shows = (rows) => chromium.wait(`const [rows, done] = arguments
  const shown = () => [...document.querySelectorAll("li")].map((row) =>
    row.querySelector("span").textContent + (row.querySelector("input")?.checked ? "*" : "")).join(" ")
  const isSent = () => (document.getElementById("state")?.textContent ?? "live") === "live"
  const look = () => shown() === rows && isSent() ? done(true) : requestAnimationFrame(look)
  look()`, rows)

before(async () => {
  if (options.skip) return
  list.apply({
    format: 1, target: "t0", counts: { sections: 1, items: 3 }, sections: [{ id: "Home", items: ["a", "b", "c"] }],
    models: ["a", "b", "c"].map((id) => ({ id, title: id, isDone: false })),
  })
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
  address = `http://127.0.0.1:${server.address().port}/`
  await chromium.start()
})

after(async () => {
  await chromium.end()
  server.closeAllConnections()
  server.close()
})

const enter = "\ue007"
const inFocus = () => value('document.activeElement.closest("li")?.querySelector("span").textContent')

const row = (index, what) => `document.querySelectorAll("li")[${index}].${what}`

test("the page follows, ticks, adds, moves, deletes and takes back", options, async () => {
  await open("")
  await shows("a b c")
  await value(`!${row(0, 'querySelector("input").click()')}`)
  await shows("a* b c")
  await value('!(document.querySelector("[name=title]").value = "new", document.querySelector("form button").click())')
  await shows("a* b c new")
  const moving = `(${row(3, 'querySelectorAll("button")[0].click()')}, document.getAnimations().length)`
  assert.ok(await value(moving) > 0, "rows move to their places")
  await shows("new a* b c")
  await value(`!${row(2, 'querySelectorAll("button")[1].click()')}`)
  await shows("new a* c")
  for (const rows of ["new a* b c", "a* b c new", "a* b c", "a b c"]) {
    await value('!document.getElementById("undo").click()')
    await shows(rows)
  }
})

test("a row that moves keeps the focus, and one that goes leaves it to what brings it back", options, async () => {
  await value(`!${row(2, 'querySelectorAll("button")[0].focus()')}`)
  await chromium.press(enter)
  await shows("c a b")
  assert.equal(await inFocus(), "c")
  await value(`!${row(1, 'querySelectorAll("button")[1].focus()')}`)
  await chromium.press(enter)
  await shows("c b")
  assert.equal(await value("document.activeElement.id"), "undo")
  for (const rows of ["c a b", "a b c"]) {
    await value('!document.getElementById("undo").click()')
    await shows(rows)
  }
})

test("an errand that cannot be added stays where it was written", options, async () => {
  isSilent = true
  await open("")
  const write = '!(document.querySelector("[name=title]").value = "new", document.querySelector("form button").click())'
  await value(write)
  assert.equal(await value('document.querySelector("[name=title]").value'), "new")
  isSilent = false
})

test("the page is as wide as a phone, and dark where the user has it dark", options, async () => {
  const metrics = { width: 390, height: 844, deviceScaleFactor: 1, mobile: true }
  await chromium.command("Emulation.setDeviceMetricsOverride", metrics)
  const features = [{ name: "prefers-color-scheme", value: "dark" }]
  await chromium.command("Emulation.setEmulatedMedia", { features })
  await open("")
  await shows("a b c")
  assert.deepEqual(await value("[innerWidth, document.documentElement.scrollWidth]"), [390, 390])
  assert.notEqual(await value("getComputedStyle(document.body).color"), "rgb(0, 0, 0)")
  await chromium.command("Emulation.clearDeviceMetricsOverride", {})
})

test("nothing moves for those who ask for that", options, async () => {
  const features = [{ name: "prefers-reduced-motion", value: "reduce" }]
  await chromium.command("Emulation.setEmulatedMedia", { features })
  // What moved before may still be on its way.
  await open("")
  await shows("a b c")
  assert.equal(await value(`(${row(2, 'querySelectorAll("button")[0].click()')}, document.getAnimations().length)`), 0)
  await shows("c a b")
})

test("the element shows the list", options, async () => {
  await open("element")
  await shows("c a b")
  await value(`(${row(0, "tabIndex = 0")}, ${row(0, "focus()")})`)
  const place = { section: "Home", after: "b" }
  await value(`document.querySelector("live-list").edits.add({ item: "c", place: ${JSON.stringify(place)} })`)
  await shows("a b c")
  assert.equal(await inFocus(), "c")
})
