// The adapter for React that the documentation shows, with React itself, from Debian's packages.
import assert from "node:assert/strict"
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import Module, { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "node:test"
import { fileURLToPath, pathToFileURL } from "node:url"

import { Browser, append, reset, settled } from "./browser.mjs"

const sources = new URL("../../../Sources/DiffableWeb/", import.meta.url)
const article = readFileSync(new URL("DiffableWeb.docc/AListInAFramework.md", sources), "utf8")
const blocks = [...article.matchAll(/```js\n([^]*?)```/g)].map(([, block]) => block)

test("adapters have at most sixty lines", () => {
  for (const block of blocks) assert.ok(block.trim().split("\n").length <= 60)
  assert.equal(blocks.length, 3)
})

// Where Debian has packages; its own Node knows that. React takes the clock that is there when it is loaded.
process.env.NODE_PATH = "/usr/share/nodejs"
Module._initPaths()
const require = createRequire(import.meta.url)
const React = require("react")
const renderer = require("react-test-renderer")
globalThis.IS_REACT_ACT_ENVIRONMENT = true

const folder = mkdtempSync(join(tmpdir(), "diffable-web-"))
process.on("exit", () => rmSync(folder, { recursive: true }))
symlinkSync("/usr/share/nodejs", join(folder, "node_modules"))
symlinkSync(fileURLToPath(new URL("Modules", sources)), join(folder, "diffable"))
const [adapter, component] = blocks
writeFileSync(join(folder, "list.mjs"), adapter.replace("import {", "import React from \"react\"\nconst {")
  .replace("} from \"react\"", "} = React"))
writeFileSync(join(folder, "chores.mjs"), `
  import React from "react"
  import { useList } from "./list.mjs"
  export const rendered = []
  const { createElement, memo: reactMemo } = React
  const memo = (component) => reactMemo((values) => {
    rendered.push(values.row.id)
    return component(values)
  })
  ${component.replaceAll(/^import .*\n/gm, "")}
  export { Chores, useList }
`)
const { Chores, rendered, useList } = await import(pathToFileURL(join(folder, "chores.mjs")))

/** Components that show one list, once it is live. */
async function page(count = 1) {
  const browser = new Browser()
  const { act, create } = renderer
  const components = Array.from({ length: count }, (_, key) => React.createElement(Chores, { key }))
  let root
  await act(async () => {
    root = create(React.createElement(React.StrictMode, null, components))
    await settled()
  })
  await act(async () => {
    browser.stream.open()
    browser.stream.send("delta", reset("t1", ["a", "b"]))
  })
  rendered.length = 0
  return { browser, root, act }
}

const texts = (root) => root.root.findAllByType("li").map((row) => row.children.at(-1))

test("components of React show a list, and each row is drawn again only when it changes", async () => {
  const { browser, root, act } = await page()
  assert.deepEqual(texts(root), ["title of a", "title of b"])
  await act(async () => browser.stream.send("delta", append("t1", "t2", 2, "c")))
  assert.deepEqual(texts(root), ["title of a", "title of b", "title of c"])
  assert.deepEqual(new Set(rendered), new Set(["c"]))
  const [tick] = root.root.findAllByType("input")
  await act(async () => tick.props.onChange({ target: { checked: true } }))
  assert.equal(root.root.findAllByType("input")[0].props.checked, true)
  assert.equal(JSON.parse(browser.request.body).models[0].isDone, true)
  await act(async () => root.unmount())
  await settled()
  assert.equal(browser.stream.readyState, EventSource.CLOSED)
})

test("components of one list share a connection, which ends with the last of them", async () => {
  const { browser, root, act } = await page(2)
  const open = () => browser.streams.filter(({ readyState }) => readyState !== EventSource.CLOSED).length
  assert.equal(open(), 1)
  assert.equal(texts(root).length, 4)
  await act(async () => root.update(React.createElement(React.StrictMode, null, [
    React.createElement(Chores, { key: 1 }),
  ])))
  assert.equal(open(), 1)
  await act(async () => root.unmount())
  await settled()
  assert.equal(open(), 0)
})

test("a component can add as soon as it is shown, also when it is shown again", async () => {
  const { browser, root, act } = await page()
  let list
  const Probe = () => {
    list = useList("chores")
    return null
  }
  const former = []
  // The list of the page ends, and one begins that is followed by nobody else.
  for (let round = 0; round < 2; round += 1) {
    await act(async () => {
      root.update(React.createElement(Probe, { key: round }))
      await settled()
    })
    // Those of the list before are sent by nobody.
    assert.ok(list.edits && !former.includes(list.edits))
    assert.deepEqual(list.sections, [])
    former.push(list.edits)
    await act(async () => {
      browser.stream.open()
      browser.stream.send("delta", reset("t2", ["a"]))
    })
    assert.equal(list.sections[0].rows.length, 1)
    assert.equal(former.at(-1), list.edits)
  }
  await act(async () => root.unmount())
})

test("a list that is shown again goes on with the edits that wait", async () => {
  const { browser, root, act } = await page()
  await act(async () => browser.stream.cut())
  await act(async () => root.root.findAllByType("input")[1].props.onChange({ target: { checked: true } }))
  await act(async () => root.unmount())
  await settled()
  let next
  await act(async () => {
    next = renderer.create(React.createElement(Chores))
    await settled()
    await browser.clock.advance(2_000)
  })
  assert.deepEqual(next.root.findAllByType("input").map(({ props }) => props.checked), [undefined, true])
  await act(async () => browser.stream.open())
  assert.equal(browser.requests.length, 1)
  await act(async () => next.unmount())
})
