// The text of Modules/edits.js. Change it there; Tests/DiffableWebTests say how it is recorded.
// swift-format-ignore-file

extension WebModule {
  static let editsText = ##"""
// Changes of a followed list, which are shown before the server has made them. They are sent as the page
// "The format of proposals" describes. `propose.js` sends them.
//
// An edit is data, so it can be stored; `edits.d.ts` says what it has. What others write is shown under it: it is made
// again on each new state of the list. It stays until the list has it, so no row vanishes and comes back. An answer
// says how to get to a state that has it, so the next one does not wait for the stream.

import { newID } from "./follow.js"
import { format, key, Misfit } from "./list.js"

/** How many edits can be taken back. */
const undoLimit = 64

/** A list that edits are made on: no copy of what they leave as it was. */
class State {
  #list
  /** What edits have made; `undefined` where they have deleted the item. */
  #models = new Map()

  constructor(list) {
    this.#list = list
    this.sections = list.sections.map(({ id, items }) => ({ id, items }))
  }

  /** The model of an item; `undefined` if there is no such item. */
  model(id) { return this.#models.has(key(id)) ? this.#models.get(key(id)) : this.#list.model(id) }

  /** Where an item is: the indices of its section, and in it. */
  place(id) {
    const name = key(id)
    for (const [section, { items }] of this.sections.entries()) {
      const item = items.findIndex((other) => key(other) === name)
      if (item >= 0) return { section, item }
    }
    return null
  }

  /** Makes an edit; returns whether that makes sense. */
  make({ item, model, fields, place, deletes, reverses }) {
    const at = this.place(item)
    // The list may have the item already, although its answer has not come.
    if (model && at) return true
    if (!model && !at) return false
    const target = place && this.sections.find(({ id }) => key(id) === key(place.section))
    if (!target && (place || model)) return false
    const splice = (section, ...change) => { section.items = section.items.toSpliced(...change) }
    if (at && (deletes || place)) splice(this.sections[at.section], at.item, 1)
    if (target) {
      const { items } = target
      const after = items.findIndex((other) => key(other) === key(place.after))
      // After an item that has gone is the end.
      splice(target, place.after === null ? 0 : after < 0 ? items.length : after + 1, 0, item)
    }
    if (model || fields || deletes) {
      const old = model ?? this.model(item)
      const made = { ...old, ...fields }
      // What others have changed since is not taken back.
      for (const name in reverses?.fields) if (!isSame(old?.[name], reverses.fields[name])) made[name] = old?.[name]
      this.#models.set(key(item), deletes ? undefined : made)
    }
    return true
  }

  /** Makes an edit; returns what differs at its item, as a proposal has it, and what takes that back. */
  change(edit) {
    const { item, model, fields, place } = edit
    const [from, old, { sections }] = [this.place(item), this.model(item), this]
    const { id: section, items } = { ...sections[from?.section] }
    // Nothing differs.
    if (!from === !model || !this.make(edit)) return null
    const [to, now] = [this.place(item), this.model(item)]
    const models = isSame(old, now) ? {} : { models: [now] }
    const range = ({ section, item }) => [[section, item, item + 1]]
    if (!from) {
      return [{ difference: { itemInserts: range(to) }, items: [item], ...models }, { item, deletes: true }]
    }
    const back = { section, after: items[from.item - 1] ?? null }
    if (!to) return [{ difference: { itemDeletes: range(from) } }, { item, model: old, place: back }]
    const moves = isSame(from, to) ? {} : { difference: { itemMoves: [{ from, to }] } }
    const inverse = { item, ...(fields && { fields: picked(fields, old) }), ...(place && { place: back }) }
    return moves.difference || models.models ? [{ ...moves, ...models }, inverse] : null
  }
}

/** A server writes fields in any order, and leaves some out that are `null`. */
const isSame = (one, other) => key([one]) === key([other])

/** What a model has for the names of some fields. */
const picked = (fields, model) => Object.fromEntries(Object.keys(fields).map((name) => [name, model[name]]))

/** A followed list with the edits of its user. One that makes no sense any longer is refused with the code `gone`. */
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

  model(id) { return this.#shown.model(id) }

  isPending(id) { return this.edits.some((edit) => key(edit.item) === key(id)) }

  get canUndo() { return this.#done.length > 0 }

  add(edit) {
    if (!this.#add(edit)) return false
    this.#done.push(this.edits.at(-1))
    if (this.#done.length > undoLimit) this.#done.shift()
    this.#changed()
    return true
  }

  #add(edit) {
    const [change, inverse] = this.#shown.change(edit) ?? []
    if (change) this.edits.push({ ...edit, id: newID(), inverse })
    return change
  }

  /** The newest edit is not sent at all, or its reverse is sent. */
  undo() {
    let edit
    while ((edit = this.#done.pop())) {
      const { id, fields, inverse } = edit
      const isUnsent = this.edits.includes(edit) && !edit.text
      if (isUnsent) this.#drop([edit])
      if (isUnsent || this.#add({ ...inverse, undo: true, reverses: { id, fields } })) break
    }
    this.#changed()
    return edit ?? null
  }

  next() {
    for (;;) {
      const [edit] = this.edits
      if (!edit || edit.token || !this.#list.token) return null
      if (edit.text) return edit
      const { id, undo } = edit
      const [change, inverse] = new State(this.#base).change(edit) ?? []
      if (change) {
        edit.inverse = inverse
        edit.text = JSON.stringify({ format, id, base: this.#base.token, undo, ...change })
      } else this.#drop([edit]) // Somebody else has done the same.
      this.#changed()
    }
  }

  answer(id, { answer, token, delta, reverse, conflicts = [], code, reason }) {
    const edit = [...this.edits, ...this.#done].find((edit) => edit.id === id)
    const undo = this.edits.find(({ reverses }) => reverses?.id === id)
    const its = (delta) => delta?.models?.find((model) => key(model.id) === key((undo ?? edit)?.item))
    const made = its(delta)
    // What others had made of it just before is to come back.
    const before = reverse && (its(reverse) ?? made)
    for (const [done, back] of [[edit, edit?.inverse], [undo?.reverses, undo]]) {
      const names = { ...done?.fields }
      // The server may have written over more.
      for (const name in made && before && { ...made, ...before }) if (!isSame(made[name], before[name])) names[name] = null
      if (done?.fields && made) done.fields = picked(names, made)
      if (before && back?.fields) back.fields = picked(names, before)
      else if (before && back?.model) back.model = before
    }
    // Somebody else had deleted it.
    const isNothing = reverse && !reverse.items && (edit?.deletes || undo?.model)
    if (isNothing) this.#done = this.#done.filter((one) => one !== edit)
    if (undo) this.#drop(isNothing ? [undo] : [])
    // The list has it already, or it came twice.
    if (!this.edits.includes(edit)) return
    if (answer === "accepted") {
      edit.token = token
      if (delta && delta.base === this.#base.token) this.#goAhead(delta)
    }
    // It is made again on the newest state.
    if (answer === "unknownBase") delete edit.text
    if (answer === "refused") {
      this.#drop([edit, undo])
      this.#tell("refused", { edit, code, reason })
    }
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

  followed(change) {
    const { isReset, proposals, renamed } = change
    const isElsewhere = this.#ahead || this.edits.some(({ fields, place }) => !fields || place)
    for (const id of proposals) this.#owed.delete(id)
    if (isReset || !this.#owed.size || this.#list.token === this.#ahead?.token) {
      this.#ahead = null
      this.#owed.clear()
    }
    this.#rename(renamed)
    const senseless = this.#settle(({ id, token }) =>
      proposals.includes(id) || (token && (isReset || token === this.#base.token)))
    // What was sent has an answer of its own.
    const gone = senseless.filter(({ text }) => !text)
    this.#drop(gone)
    this.#changed(isElsewhere ? null : change)
    const reason = "Somebody has deleted it."
    for (const edit of gone) if (!edit.deletes) this.#tell("refused", { edit, code: "gone", reason })
  }

  get stored() { return { edits: this.edits, state: this.edits.length ? this.#base.wholeState : null } }

  resume({ edits, state }) {
    if (!edits.length) return
    try {
      if (!this.#list.token && state?.target) this.#list.apply(state)
    } catch {
      // Another version of this page has stored it. The edits are shown once the server has sent a state.
    }
    this.edits = edits
    this.#done = edits.filter(({ inverse, undo }) => inverse && !undo)
    this.#show()
    this.#changed()
  }

  #rename(renamed) {
    const names = new Map(renamed.map((rename) => [key(rename.old), rename.new]))
    if (names.size) for (const edit of new Set([...this.edits, ...this.#done])) rename(edit, names)
  }

  /** Shows the edits; returns those that make no sense. */
  #show() {
    this.#shown = new State(this.#base)
    return this.edits.filter((edit) => !this.#shown.make(edit))
  }

  #settle(isSettled) {
    this.edits = this.edits.filter((edit) => !isSettled(edit))
    return this.#show()
  }

  /** Forgets edits that have made nothing, and are not to be taken back. */
  #drop(edits) {
    this.#done = this.#done.filter((edit) => !edits.includes(edit))
    this.#settle((edit) => edits.includes(edit))
  }

  #changed(detail) { this.#tell("change", detail) }

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
