// The modules do what the Swift side does: `cases.json` is written from that.
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { test } from "node:test"

import { EditedList } from "../../../Sources/DiffableWeb/Modules/edits.js"
import { FollowedList, key, Misfit } from "../../../Sources/DiffableWeb/Modules/list.js"

const cases = JSON.parse(readFileSync(new URL("../Cases/cases.json", import.meta.url), "utf8"))
const list = (...deltas) => {
  const list = new FollowedList()
  for (const delta of deltas) list.apply(delta)
  return list
}
/** What there is to see, as the cases say it. */
const seen = (list) => list.sections.map(({ id, items }) => ({ id, notes: items.map((item) => list.model(item)) }))

for (const { name, steps } of cases.following) {
  test(`a list is followed: ${name}`, () => {
    const followed = new FollowedList()
    for (const [index, { delta, sections }] of steps.entries()) {
      followed.apply(delta)
      const shown = followed.sections.map(({ id, items, rows }) =>
        ({ id, items, ...(rows && { rows: rows.map((row) => row.id) }) }))
      assert.deepEqual(shown, sections, `step ${index}`)
      assert.equal(followed.token, delta.target)
      // What is stored is the same list.
      assert.deepEqual(followed.copy.sections, followed.sections)
    }
  })
}

for (const { name, steps } of cases.following) {
  test(`a list has the models of its rows and sections, and no others: ${name}`, () => {
    const followed = new FollowedList()
    const [seen, seenSections] = [new Map(), new Map()]
    for (const [index, { delta, sections }] of steps.entries()) {
      const ids = sections.flatMap(({ items, rows }) => rows ?? items)
      // As a server does, with what was not there before, and with rows that have new names.
      const models = ids.filter((id) => followed.model(id) === undefined).map((id) => ({ id, index }))
      const sectionModels = sections.map(({ id }) => ({ id, model: { index } }))
      followed.apply({ ...delta, models: delta.base ? models : ids.map((id) => ({ id, index })), sectionModels })
      for (const id of ids) seen.set(key(id), id)
      const names = new Set(ids.map(key))
      for (const [name, id] of seen) {
        assert.equal(followed.model(id) !== undefined, names.has(name), `${name} in step ${index}`)
      }
      for (const { id } of sections) seenSections.set(key(id), id)
      const sectionNames = new Set(sections.map(({ id }) => key(id)))
      for (const [name, id] of seenSections) {
        assert.equal(followed.sectionModel(id) !== undefined, sectionNames.has(name), `section ${name} in step ${index}`)
      }
    }
  })
}

test("a sound delta is taken, and one that comes twice changes nothing", () => {
  const followed = list(cases.base, cases.sound)
  const before = seen(followed)
  const { inserted, moved } = followed.apply(cases.sound)
  assert.deepEqual([inserted.size, moved.size], [0, 0])
  assert.deepEqual(seen(followed), before)
})

/** What a mirror in Swift refuses besides, as it costs a look at the whole list: a server writes no such delta. */
const lenient = ["an item twice", "a section twice"]

for (const { name, code, delta } of cases.damaged) {
  test(`${lenient.includes(name) ? "taken" : "refused"}: ${name} (${code})`, () => {
    const followed = list(cases.base)
    const before = [seen(followed), followed.token]
    if (lenient.includes(name)) return followed.apply(delta)
    assert.throws(() => followed.apply(delta), Misfit)
    assert.deepEqual([seen(followed), followed.token], before, "nothing was changed")
  })
}

/** Lets new names be the one of the cases, which is 15 bytes 0 and one byte 1. */
function withGivenID(act) {
  const { getRandomValues } = crypto
  crypto.getRandomValues = (bytes) => bytes.map((_, index) => (index === bytes.length - 1 ? 1 : 0))
  try {
    return act()
  } finally {
    crypto.getRandomValues = getRandomValues
  }
}

/** All notes of a list in one order. */
const sorted = (sections) => sections.flatMap(({ notes }) => notes).sort((one, other) => (one.id < other.id ? -1 : 1))

for (const { name, edit, unknown, heard, shown, proposal, answer, stream, end, undone } of cases.editing) {
  test(`an edit: ${name}`, () => {
    // The page that has made it is loaded again before it is sent, or is not.
    for (const isStored of [false, true]) {
      const followed = list(cases.start)
      let edits = new EditedList(followed)
      withGivenID(() => edits.add(structuredClone(edit)))
      if (isStored) {
        const stored = JSON.parse(JSON.stringify(edits.stored))
        edits = new EditedList(followed)
        edits.resume(stored)
      }
      if (unknown) edits.answer(edits.next().id, JSON.parse(unknown))
      for (const delta of heard) edits.followed(followed.apply(delta))
      assert.deepEqual(seen(edits), shown)
      const next = edits.next()
      assert.deepEqual(next && JSON.parse(next.text), proposal ? JSON.parse(proposal) : null)
      if (next) {
        edits.answer(next.id, JSON.parse(answer))
        if (stream.length) {
          assert.deepEqual(seen(edits), end, "the answer leads to it")
          for (const delta of stream) {
            edits.followed(followed.apply(delta))
            assert.deepEqual(seen(edits), end, "the stream changes nothing")
          }
        }
      }
      assert.deepEqual(seen(edits), end)
      assert.equal(edits.edits.length, 0)
      if (!undone) continue
      edits.undo()
      // An item goes back to where the page had seen it, and with a mirror to where others had moved it.
      const order = /others move .* unheard/.test(name) ? sorted : (sections) => sections
      assert.deepEqual(order(seen(edits)), order(undone), "what is left after undo")
    }
  })
}
