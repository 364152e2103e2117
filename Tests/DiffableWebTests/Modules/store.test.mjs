import assert from "node:assert/strict"
import { test } from "node:test"

import { Browser, reset, settled } from "./browser.mjs"
import { openList, Store } from "../../../Sources/DiffableWeb/Modules/propose.js"

const value = (count) => ({
  edits: Array.from({ length: count }, (_, index) => ({ id: `${index}`, item: `${index}`, deletes: true })),
  state: { target: "t", models: Array.from({ length: 100 }, (_, index) => ({ id: `${index}` })) },
})

/** Opens a store, while the clock goes on as far as it must. */
async function opened(browser, name = "board") {
  const store = Store.open(name)
  await browser.clock.advance(2_000)
  return store
}

for (const hasLocks of [true, false]) {
  const how = hasLocks ? "with locks" : "without locks"

  test(`two tabs never have one place, ${how}`, async () => {
    const browser = new Browser({ hasLocks })
    const first = await opened(browser)
    first.write(value(1))
    browser.newTab()
    const second = await opened(browser)
    assert.equal(second.read(), null)
    second.write(value(2))
    assert.equal(first.read().edits.length, 1)
    browser.duplicateTab()
    const third = await opened(browser)
    assert.equal(third.read(), null)
    assert.equal(localStorage.length, 2)
  })

  test(`tabs that are opened at the same moment share what tabs left, each place once, ${how}`, async () => {
    const browser = new Browser({ hasLocks })
    for (const index of [1, 2, 3]) localStorage.setItem(`board/${index}`, JSON.stringify(value(index)))
    localStorage.setItem("other/1", JSON.stringify(value(9)))
    const opening = Array.from({ length: 5 }, () => Store.open("board"))
    await browser.clock.advance(5_000)
    const stores = await Promise.all(opening)
    const counts = stores.map((store) => store.read()?.edits.length ?? 0)
    assert.deepEqual(counts.sort(), [0, 0, 1, 2, 3])
  })

  test(`a tab that is loaded again has its place, and one that is gone leaves it to others, ${how}`, async () => {
    const browser = new Browser({ hasLocks })
    localStorage.setItem("board/left", JSON.stringify(value(7)))
    const first = await opened(browser)
    assert.equal(first.read().edits.length, 7)
    first.write(value(1))
    localStorage.setItem("board/another", JSON.stringify(value(8)))
    first.close()
    await settled()
    const again = await opened(browser)
    assert.equal(again.read().edits.length, 1)
    again.close()
    await settled()
    localStorage.removeItem("board/another")
    browser.newTab()
    assert.equal((await opened(browser)).read().edits.length, 1)
  })

  test(`the clock may jump while tabs hold their places, ${how}`, async () => {
    const browser = new Browser({ hasLocks })
    const now = Date.now
    try {
      const first = await opened(browser)
      first.write(value(1))
      Date.now = () => now() + 1e12
      await browser.clock.advance(86_400_000)
      browser.newTab()
      assert.equal((await opened(browser)).read(), null)
    } finally {
      Date.now = now
    }
  })
}

test("a page that is loaded again waits a moment for the lock of the page as it was", async () => {
  const browser = new Browser()
  const first = await opened(browser)
  first.write(value(1))
  const opening = Store.open("board")
  await browser.clock.advance(500)
  first.close()
  await settled()
  assert.equal((await opening).read().edits.length, 1)
})

test("a list whose name begins with that of another one has places of its own", async () => {
  const browser = new Browser()
  const long = await opened(browser, "boards/1/cards")
  long.write(value(1))
  long.close()
  await settled()
  browser.newTab()
  assert.equal((await opened(browser, "boards/1")).read(), null)
  assert.equal((await opened(browser, "boards/1/cards")).read().edits.length, 1)
})

test("lists of two pages with one relative address have places of their own", async () => {
  const browser = new Browser()
  const texts = []
  for (const page of ["teams/1/", "teams/2/", "teams/1/?day=2#top"]) {
    globalThis.location = new URL(page, "http://localhost/")
    browser.newTab()
    const { edits, proposer, close } = openList("errands")
    await browser.clock.advance(2_000)
    browser.stream.open()
    browser.stream.send("delta", reset("t1", ["a"]))
    texts.push(edits.edits.map(({ fields }) => fields.title))
    browser.stream.cut()
    edits.add({ item: "a", fields: { title: page } })
    assert.ok(proposer.isKept)
    close()
    await settled()
  }
  assert.deepEqual(texts, [[], [], ["teams/1/"]])
})

test("a store that is full keeps the edits without the list below them, and says when it keeps nothing new", async () => {
  const browser = new Browser()
  const store = await opened(browser)
  assert.equal(store.isKept, true)
  store.write(value(3))
  assert.equal(store.read().state.target, "t")
  localStorage.room = 400
  store.write(value(4))
  assert.equal(store.isKept, true)
  assert.deepEqual([store.read().edits.length, store.read().state], [4, null])
  store.write(value(40))
  assert.equal(store.isKept, false)
  // What was stored last is better than nothing: the server makes an edit once.
  assert.equal(store.read().edits.length, 4)
  store.write({ edits: [], state: null })
  assert.equal(store.isKept, true)
  assert.equal(localStorage.length, 0)
})

test("a browser that stores nothing gets a place in memory", async () => {
  for (const forbid of [
    () => { localStorage.isForbidden = sessionStorage.isForbidden = true },
    () => { localStorage.isForbidden = true },
    () => Object.defineProperty(globalThis, "localStorage", {
      configurable: true, get() { throw new DOMException("not allowed", "SecurityError") },
    }),
    () => { globalThis.localStorage = null },
    () => { globalThis.navigator = {}; globalThis.BroadcastChannel = undefined },
  ]) {
    const browser = new Browser()
    forbid()
    const store = await opened(browser)
    assert.equal(store.isKept, false)
    store.write(value(1))
    assert.equal(store.read(), null)
    store.close()
  }
})

test("a tab that may not remember its place has one all the same", async () => {
  const browser = new Browser()
  sessionStorage.room = 0
  const store = await opened(browser)
  store.write(value(2))
  assert.equal(store.read().edits.length, 2)
})
