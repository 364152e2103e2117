// The text of Modules/edits.js. Change it there; Tests/DiffableWebTests say how it is recorded.
// swift-format-ignore-file

extension WebModule {
  static let editsText = ##"""
// Changes of a followed list, which are shown before the server has made them. They are sent as the page
// "The format of proposals" describes. `propose.js` sends them.
//
// An edit is an object with the identifier of one item, and what happens to it:
//
//   { item, model, place }    inserts it; a place is `{ section, after }`, and `null` is before all others
//   { item, fields, place }   changes fields of its model, moves it, or both
//   { item, deletes: true }   deletes it
//
// It is data, so it can be stored. What others write is shown under it: it is made again on each new state of
// the list. An edit stays until the list has it, so no row vanishes and comes back. An answer says how to get to a
// state that has the edit, so the next one does not wait for the stream, which may be late.

import { newID } from "./follow.js"
import { format, key, Misfit } from "./list.js"

/** How many edits can be taken back. */
const undoLimit = 64

/** A list that edits are made on. */
class State {
  #list
  #models = new Map()
  #keys

  constructor(list) {
    this.#list = list
    this.sections = list.sections.map(({ id, items }) => ({ id, items: [...items] }))
    this.#keys = new Set(this.sections.flatMap(({ items }) => items.map(key)))
  }

  /** The model of an item; `undefined` if there is no such item. */
  model(id) {
    if (this.#keys.has(key(id))) return this.#models.get(key(id)) ?? this.#list.model(id)
  }

  /** Where an item is: the indices of its section, and in it. */
  place(id) {
    if (!this.#keys.has(key(id))) return null
    for (const [section, { items }] of this.sections.entries()) {
      const item = items.findIndex((other) => key(other) === key(id))
      if (item >= 0) return { section, item }
    }
    return null
  }

  /** Makes an edit; returns whether that makes sense. */
  make({ item, model, fields, place, deletes }) {
    const at = this.place(item)
    // The list may have the item already, although its answer has not come.
    if (model && at) return true
    if (!model && !at) return false
    const target = place && this.sections.find(({ id }) => key(id) === key(place.section))
    if (place && !target) return false
    if (at && (deletes || place)) this.sections[at.section].items.splice(at.item, 1)
    if (target) {
      const after = place.after === null ? -1
        : target.items.findIndex((other) => key(other) === key(place.after))
      // After an item that has gone is the end.
      const isGone = place.after !== null && after < 0
      target.items.splice(isGone ? target.items.length : after + 1, 0, item)
    }
    if (model || fields) this.#models.set(key(item), { ...(model ?? this.model(item)), ...fields })
    if (model) this.#keys.add(key(item))
    if (deletes) this.#keys.delete(key(item))
    return true
  }

  /** The edit that takes another one back, if that is made on this state. */
  inverse({ item, model, fields, place, deletes }) {
    if (model) return { item, deletes: true }
    const at = this.place(item)
    const own = this.model(item)
    const { id: section, items } = this.sections[at.section]
    const back = { section, after: items[at.item - 1] ?? null }
    if (deletes) return { item, model: own, place: back }
    const old = fields && Object.fromEntries(Object.keys(fields).map((name) => [name, own[name]]))
    return { item, ...(fields && { fields: old }), ...(place && { place: back }) }
  }
}

/** What differs at one item, as a proposal has it; `null` if nothing does. */
function difference(before, after, item) {
  const [from, to] = [before.place(item), after.place(item)]
  const range = ({ section, item }) => [[section, item, item + 1]]
  const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other)
  const model = after.model(item)
  const models = to && (!from || !isSame(before.model(item), model)) ? { models: [model] } : {}
  if (!from && !to) return null
  if (!to) return { difference: { itemDeletes: range(from) } }
  if (!from) return { difference: { itemInserts: range(to) }, items: [item], ...models }
  if (!isSame(from, to)) return { difference: { itemMoves: [{ from, to }] }, ...models }
  return models.models ? models : null
}

/**
 * A followed list with the edits of its user.
 *
 * It tells of `change`; of `refused`, with the edit and the code and reason of the server; and of `conflict`, with the
 * edit and what it contradicts. An edit that makes no sense any longer is refused with the code `gone`.
 */
export class EditedList extends EventTarget {
  /** What the list does not have yet, in the order in which it is sent. */
  edits = []
  #list
  /** Where answers have led while the stream of the list is late; `null` otherwise. */
  #ahead = null
  /** The edits in it that the stream has not brought yet. */
  #owed = new Set()
  #shown
  /** What can be taken back, newest last. */
  #done = []

  constructor(list) {
    super()
    this.#list = list
    this.#shown = new State(list)
  }

  /** What the edits are made on. */
  get #base() { return this.#ahead ?? this.#list }

  get sections() { return this.#shown.sections }

  /** The model of an item as it is shown; `undefined` if it is not in the list. */
  model(id) { return this.#shown.model(id) }

  isPending(id) { return this.edits.some((edit) => key(edit.item) === key(id)) }

  get canUndo() { return this.#done.length > 0 }

  /** Shows an edit; returns whether it changes anything. */
  add(edit) {
    if (!this.#add(edit)) return false
    this.#done.push(this.edits.at(-1))
    if (this.#done.length > undoLimit) this.#done.shift()
    this.#changed()
    return true
  }

  #add(edit) {
    const before = this.#shown
    const exists = before.place(edit.item) !== null
    if (exists === (edit.model !== undefined)) return false
    const inverse = before.inverse(edit)
    const after = this.#made([...this.edits, edit])
    if (!difference(before, after, edit.item)) return false
    this.edits.push({ ...edit, id: newID(), inverse })
    this.#shown = after
    return true
  }

  /**
   * Takes back the newest edit: it is not sent at all, or its reverse is sent.
   *
   * Returns the edit; `null` if there is none that can be taken back.
   */
  undo() {
    let edit
    while ((edit = this.#done.pop())) {
      const isUnsent = this.edits.includes(edit) && !edit.text
      if (isUnsent) this.#settle((other) => other === edit)
      if (isUnsent || this.#add(edit.inverse)) break
    }
    this.#changed()
    return edit ?? null
  }

  /** The edit to be sent now, with its text; `null` if there is none. */
  next() {
    for (;;) {
      const [edit] = this.edits
      if (!edit || edit.token || !this.#list.token) return null
      if (edit.text) return edit
      const before = new State(this.#base)
      const after = new State(this.#base)
      after.make(edit)
      const change = difference(before, after, edit.item)
      if (change) {
        edit.text = JSON.stringify({ format, id: edit.id, base: this.#base.token, ...change })
        this.#changed()
        return edit
      }
      // Somebody else has done the same.
      this.#settle((other) => other === edit)
      this.#changed()
    }
  }

  /** Takes what the server has said to an edit. */
  answer(id, { answer, token, delta, conflicts = [], code, reason }) {
    const edit = this.edits.find((edit) => edit.id === id)
    // The list has it already, or it came twice.
    if (!edit) return
    if (answer === "accepted") {
      edit.token = token
      if (delta && delta.base === this.#base.token) this.#goAhead(delta)
    }
    // It is made again on the newest state.
    if (answer === "unknownBase") delete edit.text
    if (answer === "refused") this.#refuse(edit, code, reason)
    this.#settle(({ token }) => token && token === this.#base.token)
    this.#changed()
    for (const { contradiction } of conflicts) this.#tell("conflict", { edit, contradiction })
  }

  /** Goes to a state that has an edit. */
  #goAhead(delta) {
    const ahead = this.#ahead ?? this.#list.copy
    try {
      const { proposals, renamed } = ahead.apply(delta)
      this.#ahead = ahead
      for (const id of proposals) this.#owed.add(id)
      this.#rename(renamed)
      this.#settle(({ id }) => proposals.includes(id))
    } catch (error) {
      // Then the edit stays until the stream has it.
      if (!(error instanceof Misfit)) throw error
    }
  }

  /** Takes what `apply` of the list has returned. */
  followed({ isReset, proposals, renamed }) {
    for (const id of proposals) this.#owed.delete(id)
    if (isReset || !this.#owed.size || this.#list.token === this.#ahead?.token) {
      this.#ahead = null
      this.#owed.clear()
    }
    this.#rename(renamed)
    this.#settle(({ id, token }) =>
      proposals.includes(id) || (token && (isReset || token === this.#base.token)))
    for (const edit of [...this.edits]) {
      // What was sent has an answer of its own.
      if (edit.text || this.#made(this.edits, edit)) continue
      if (edit.deletes) this.#settle((other) => other === edit)
      else this.#refuse(edit, "gone", "Somebody has deleted it.")
    }
    this.#changed()
  }

  /** What is to be stored, and taken by `resume` in the next life of the page. */
  get stored() { return { edits: this.edits, state: this.edits.length ? this.#base.wholeState : null } }

  /** Shows the state that was stored, and the edits. */
  resume({ edits, state }) {
    if (!edits.length) return
    try {
      if (!this.#list.token && state?.target) this.#list.apply(state)
    } catch {
      // Another version of this page has stored it. The edits are shown once the server has sent a state.
    }
    this.edits = edits
    this.#show()
    this.#changed()
  }

  /** The state after edits; `null` if the one that is named makes no sense. */
  #made(edits, named) {
    const state = new State(this.#base)
    for (const edit of edits) if (!state.make(edit) && edit === named) return null
    return state
  }

  #rename(renamed) {
    const names = new Map(renamed.map((rename) => [key(rename.old), rename.new]))
    if (names.size) for (const edit of new Set([...this.edits, ...this.#done])) rename(edit, names)
  }

  #show() { this.#shown = this.#made(this.edits) }

  #settle(isSettled) {
    this.edits = this.edits.filter((edit) => !isSettled(edit))
    this.#show()
  }

  #refuse(edit, code, reason) {
    this.edits = this.edits.filter((other) => other !== edit)
    this.#done = this.#done.filter((other) => other !== edit)
    this.#show()
    this.#tell("refused", { edit, code, reason })
  }

  #changed() { this.#tell("change") }

  #tell(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail })) }
}

/** Gives items in an edit, and in what takes it back, the names that they have now. */
function rename(edit, names) {
  for (const one of [edit, edit.inverse]) {
    if (!one) continue
    one.item = names.get(key(one.item)) ?? one.item
    if (one.place?.after != null) one.place.after = names.get(key(one.place.after)) ?? one.place.after
    // The model may be that of the list.
    if (one.model) one.model = { ...one.model, id: one.item }
  }
}

"""##
}
