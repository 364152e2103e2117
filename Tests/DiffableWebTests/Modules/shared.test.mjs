// Pages that share stored edits where there are no locks, and lists that are not shown.
import assert from "node:assert/strict"
import { test } from "node:test"

import { Browser, reset, settled, shown } from "./browser.mjs"
import { generator } from "./generator.mjs"
import { Follower } from "../../../Sources/DiffableWeb/Modules/follow.js"
import { Proposer, Store } from "../../../Sources/DiffableWeb/Modules/propose.js"

const insert = (id, after = null) => ({ item: id, model: { id, title: id }, place: { section: "s", after } })

/** A server that makes each proposal once, as that of `DiffableSync` does. */
class Server {
  items = ["a", "b"]
  /** How often each proposal was made, and each has come. */
  made = new Map()
  come = new Map()

  get token() { return `t${this.made.size}` }
  get state() { return reset(this.token, this.items) }

  /** Answers what has been asked for since, or loses the answers; returns how many there were. */
  answer(browser, { isLost = false } = {}) {
    const requests = browser.requests.splice(0)
    for (const request of requests) {
      const { id, items = [] } = JSON.parse(request.body)
      this.come.set(id, (this.come.get(id) ?? 0) + 1)
      if (!this.made.has(id)) {
        this.items = [...items, ...this.items]
        this.made.set(id, items)
      }
      if (isLost) request.fail()
      else request.answer(200, { answer: "accepted", token: this.token })
    }
    return requests.length
  }
}

/** A page of a tab, with a stream of its own. */
async function page(browser, server, { isLive = true } = {}) {
  browser.newTab()
  const opening = Store.open("board")
  await browser.clock.advance(2_000)
  const store = await opening
  const follower = new Follower("lists/board")
  const proposer = new Proposer(follower)
  proposer.keep(store)
  const page = {
    store, follower, proposer, edits: proposer.edits, stream: null,
    /** Connects, and hears what the list is. */
    go() {
      if (page.stream.readyState === 0) page.stream.open()
      page.stream.send("delta", server.state)
    },
  }
  const open = follower.open.bind(follower)
  follower.open = (state) => {
    open(state)
    page.stream = browser.stream
  }
  follower.open()
  // There is a list to edit, and stored edits wait until it is live again.
  if (isLive || !localStorage.length) page.go()
  if (!isLive && page.stream.readyState === 1) page.stream.cut()
  return page
}

/** Lets pages that are live and a server exchange all that waits. */
async function exchange(browser, server, pages) {
  for (let round = 0; round < 100; round += 1) {
    await settled()
    const count = server.answer(browser)
    await settled()
    for (const page of pages) page.go()
    await settled()
    if (!count && !browser.requests.length) return
  }
  assert.fail("there is no end")
}

/** Lets a page hear nothing of others, as one does that the browser has frozen; returns what thaws it. */
function frozen(act) {
  const { BroadcastChannel } = globalThis
  const channels = []
  globalThis.BroadcastChannel = class extends BroadcastChannel {
    constructor(name) {
      super(name)
      channels.push(this)
    }
  }
  return act().then((value) => {
    globalThis.BroadcastChannel = BroadcastChannel
    for (const channel of channels) channel.onmessage = null
    return value
  })
}

test("without locks, a page takes the edits of one that is frozen, and each is made once", async () => {
  for (const isSent of [false, true]) {
    const browser = new Browser({ hasLocks: false })
    const server = new Server()
    const first = await frozen(() => page(browser, server, { isLive: isSent }))
    first.edits.add(insert("c"))
    first.edits.add(insert("d"))
    // The server has made it, and its answer was lost.
    if (isSent) assert.equal(server.answer(browser, { isLost: true }), 1)
    await settled()

    const second = await page(browser, server)
    assert.deepEqual(second.edits.edits.map(({ item }) => item), ["c", "d"])
    second.edits.add(insert("e"))
    await exchange(browser, server, [second])
    assert.equal(second.edits.edits.length, 0)
    // The first one goes on with what it has.
    first.go()
    await browser.clock.advance(60_000)
    await exchange(browser, server, [first, second])
    first.edits.add(insert("f"))
    await exchange(browser, server, [first, second])
    assert.deepEqual([...server.items].sort(), ["a", "b", "c", "d", "e", "f"])
    assert.deepEqual([first.edits.edits.length, second.edits.edits.length, localStorage.length], [0, 0, 0])
  }
})

test("without locks, whatever pages come, freeze and end, each edit is made once and none is lost", async () => {
  for (let seed = 0; seed < 40; seed += 1) {
    const browser = new Browser({ hasLocks: false })
    const server = new Server()
    const random = generator(seed)
    const pages = []
    let count = 0
    const end = (page) => {
      page.proposer.close()
      page.follower.close()
      page.store.close()
      pages.splice(pages.indexOf(page), 1)
    }
    for (let step = 0; step < 25; step += 1) {
      const one = pages[random(Math.max(1, pages.length))]
      const act = random(6)
      if (!one || (act === 0 && pages.length < 3)) {
        // Each page hears nothing of the others: all have been frozen when others were opened.
        pages.push(await frozen(() => page(browser, server, { isLive: random(2) === 0 })))
      } else if (act === 1) end(one)
      else if (act === 2) one.go()
      else if (act === 3) server.answer(browser, { isLost: random(2) === 0 })
      else if (one.edits.add(insert(`n${count}`))) count += 1
      await settled()
    }
    for (const page of [...pages]) end(page)
    browser.requests = []
    // Pages that come later find all that was left, each a place.
    const left = []
    while (localStorage.length > left.length) left.push(await page(browser, server))
    for (const page of left) page.go()
    for (let round = 0; round < 5; round += 1) {
      await browser.clock.advance(60_000)
      for (const page of left) page.go()
      await exchange(browser, server, left)
    }
    const expected = ["a", "b", ...Array.from({ length: count }, (_, index) => `n${index}`)]
    assert.deepEqual([...server.items].sort(), expected.sort(), `seed ${seed}`)
  }
})

test("a list that is hidden is followed until nothing waits, and not without a reason", async () => {
  const browser = new Browser()
  const server = new Server()
  const one = await page(browser, server)
  one.proposer.hide()
  assert.equal(one.stream.readyState, 2, "nothing waits")
  one.proposer.show()
  one.go()
  one.edits.add(insert("c"))
  one.proposer.hide()
  assert.equal(one.stream.readyState, 1)
  // The connection is lost meanwhile, and made again.
  one.stream.cut()
  one.stream.open()
  assert.equal(server.answer(browser), 1)
  await settled()
  assert.equal(one.stream.readyState, 1, "the list does not have it yet")
  one.go()
  assert.equal(one.edits.edits.length, 0)
  assert.equal(one.stream.readyState, 2)
  assert.equal(shown(one.edits), "s:c a b")
  const { length } = browser.streams
  await browser.clock.advance(600_000)
  assert.equal(browser.streams.length, length)
})

test("edits of an earlier life are sent by a page that shows another list", async () => {
  const browser = new Browser()
  const server = new Server()
  const first = await page(browser, server, { isLive: false })
  first.edits.add(insert("c"))
  first.proposer.close()
  first.follower.close()
  first.store.close()
  await settled()
  const second = await page(browser, server, { isLive: false })
  second.proposer.hide()
  second.go()
  await exchange(browser, server, [second])
  assert.deepEqual(server.items, ["c", "a", "b"])
  assert.deepEqual([second.stream.readyState, localStorage.length], [2, 0])
})

test("a hidden list that is shown again stays", async () => {
  const browser = new Browser()
  const server = new Server()
  const one = await page(browser, server)
  one.edits.add(insert("c"))
  one.proposer.hide()
  one.proposer.show()
  await exchange(browser, server, [one])
  assert.deepEqual([one.edits.edits.length, one.stream.readyState], [0, 1])
})
