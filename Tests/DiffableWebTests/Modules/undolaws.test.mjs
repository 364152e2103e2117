// Random programs: a page edits, undoes, is cut off and loaded again while others write and answers are late.
import assert from "node:assert/strict"
import { test } from "node:test"

import { Browser, settled } from "./browser.mjs"
import { generator } from "./generator.mjs"
import { Follower } from "../../../Sources/DiffableWeb/Modules/follow.js"
import { Proposer, Store } from "../../../Sources/DiffableWeb/Modules/propose.js"

const names = ["title", "note"]

/** A server of three items whose fields are merged one by one; it checks what an undo writes. */
class Server {
  states = [["a", "b", "c"].map((id) => ({ id, title: `${id}0`, note: null }))]
  /** The names of the proposals that have led to each state. */
  proposals = [null]
  answers = new Map()
  /** By the value that an edit has written, what was there just before. No value is written twice. */
  before = new Map()
  /** By the names of undos, the values that they are to take back. */
  reversed = new Map()

  get now() { return this.states.length - 1 }

  #model(state, id) { return this.states[state].find((model) => model.id === id) }

  /** A server leaves fields without a value out, and writes the others in any order. */
  #written(model) {
    const fields = Object.entries(model).filter(([, value]) => value !== null)
    return Object.fromEntries(this.now % 2 ? fields : fields.reverse())
  }

  write(model, proposal = null) {
    this.states.push(this.states[this.now].map((old) => (old.id === model.id ? model : old)))
    this.proposals.push(proposal)
  }

  /** What others write. */
  change(id, name, value) { this.write({ ...this.#model(this.now, id), [name]: value }) }

  reset() {
    const models = this.states[this.now].map((model) => this.#written(model))
    const items = models.map(({ id }) => id)
    return {
      format: 1, target: `t${this.now}`, counts: { sections: 1, items: 3 }, sections: [{ id: "s", items }], models,
    }
  }

  delta(base, target) {
    const models = this.states[target].filter((model) => this.#model(base, model.id) !== model)
      .map((model) => this.#written(model))
    const proposals = this.proposals.slice(base + 1, target + 1).filter((id) => id)
    return {
      format: 1, base: `t${base}`, target: `t${target}`, counts: { sections: 1, items: 3 }, models, proposals,
    }
  }

  /** Makes a proposal once. */
  answer(text) {
    const { id, base, undo, models: [model] } = JSON.parse(text)
    if (!this.answers.has(id)) this.answers.set(id, this.#accept(id, +base.slice(1), undo, model))
    return this.answers.get(id)
  }

  #accept(id, base, undo, model) {
    const [start, old, now] = [this.now, this.#model(base, model.id), this.#model(this.now, model.id)]
    const made = { ...now }
    for (const name of names) {
      const value = model[name] ?? null
      if (value === old[name] || (undo && now[name] !== old[name])) continue
      if (undo) {
        assert.ok(this.reversed.get(id).includes(now[name]), `${now[name]} is not taken back`)
        assert.equal(value, this.before.get(now[name]), `what was there before ${now[name]}`)
      } else this.before.set(value, now[name])
      made[name] = value
    }
    this.write(made, id)
    const reverse = start === base ? undefined : { ...this.delta(this.now, start), proposals: undefined }
    return { answer: "accepted", token: `t${this.now}`, delta: this.delta(base, this.now), reverse }
  }
}

test("whatever is heard and answered when, undo takes back what its edit has made, and nothing of others", async () => {
  let undone = 0
  for (let seed = 0; seed < 300; seed += 1) {
    const random = generator(seed)
    const browser = new Browser()
    const server = new Server()
    const taken = []
    let [heard, count, store, follower, proposer] = [0, 0]
    const hear = (state) => {
      if (browser.stream.readyState !== 1 || state <= heard) return
      browser.stream.send("delta", server.delta(heard, state))
      heard = state
    }
    const open = () => {
      if (browser.stream.readyState === 0) browser.stream.open()
      // A page that has a state goes on from there.
      if (follower.list.token) heard = +follower.list.token.slice(1)
      else {
        browser.stream.send("delta", server.reset())
        heard = server.now
      }
    }
    const start = async () => {
      store = await Store.open("board")
      follower = new Follower("lists/board")
      proposer = new Proposer(follower)
      proposer.keep(store)
      follower.open()
      open()
    }
    const answer = async (isLost) => {
      for (const request of browser.requests.splice(0, 1)) {
        for (const { id, reverses } of proposer.edits.edits) {
          if (reverses) server.reversed.set(id, Object.values(reverses.fields))
        }
        if (isLost === 1) request.fail()
        else request.answer(200, server.answer(request.body))
      }
      await settled()
    }
    await start()
    for (let step = 0; step < 40; step += 1) {
      const { edits } = proposer
      const [item, name] = [["a", "b", "c"][random(3)], names[random(2)]]
      const act = random(9)
      if (act < 2) {
        const more = random(3) ? {} : { note: `mine ${count += 1}` }
        edits.add({ item, fields: { [name]: `mine ${count += 1}`, ...more } })
      } else if (act < 4) {
        const edit = edits.undo()
        if (edit) taken.push(...Object.values(edit.fields))
      } else if (act === 4) server.change(item, name, `theirs ${count += 1}`)
      else if (act === 5) hear(heard + random(server.now - heard + 1))
      else if (act === 6) await answer(random(4))
      else if (act === 7) browser.stream.cut()
      else if (random(3)) open()
      else {
        for (const one of [proposer, follower, store]) one.close()
        browser.requests = []
        await settled()
        await start()
      }
      await settled()
    }
    for (let round = 0; round < 200 && (proposer.edits.edits.length || round < 3); round += 1) {
      if (browser.stream.readyState !== 1) open()
      hear(server.now)
      await answer(0)
      await browser.clock.advance(31_000)
    }
    assert.deepEqual(proposer.edits.edits, [], `seed ${seed}`)
    for (const { id, ...model } of server.states[server.now]) {
      const shown = proposer.edits.model(id)
      for (const name of names) {
        assert.equal(shown[name] ?? null, model[name], `seed ${seed}: ${name} of ${id}`)
        assert.ok(!taken.includes(model[name]), `seed ${seed}: ${model[name]} was taken back`)
      }
    }
    undone += taken.length
  }
  assert.ok(undone > 500, `${undone}`)
})
