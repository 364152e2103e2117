// The board: cards in columns, which several people change at once.
//
// Everything that the mouse can do, keys can do on the card that has the focus.

import { fillCard, makeCard } from "./cards.js"
import { Dragging } from "./dragging.js"
import { arrange, counted, made } from "./elements.js"
import { newID } from "./diffable/follow.js"
import { key } from "./diffable/list.js"
import { appear, slide, vanish } from "./motion.js"
import { Proposer, Store } from "./diffable/propose.js"
import { cause } from "./words.js"

const help = "Space ticks a card, Enter renames it, Delete deletes it. Arrows lead from card to card, and with Alt "
  + "they move the card. Control and Z take the last change back."
/** What is said of a contradiction with what somebody else has written. */
const conflicts = {
  changedTwice: "Somebody else has changed it as well.",
  changedButDeleted: "Somebody else has deleted it.",
  deletedButChanged: "Somebody else had changed it.",
}

/** It tells of `change` when its cards or its notice may have changed without the list. */
export class BoardView extends EventTarget {
  unit = "card"
  proposer
  #panel = made("div", "scroller lanes")
  #spoken = made("p", "spoken")
  #saving = made("span", "saving")
  #undo = made("button", "undo", "Undo")
  #follower
  #edits
  #lanes = new Map()
  #cards = new Map()
  /** What was refused, by the key of the card: the edit and the reason. */
  #refusals = new Map()
  /** The key of the card that has the focus, or gets it first. */
  #current = null
  #dragging

  constructor(panel, follower) {
    super()
    this.#follower = follower
    this.proposer = new Proposer(follower)
    this.#edits = this.proposer.edits
    panel.className = "board"
    this.#spoken.setAttribute("aria-live", "assertive")
    const hint = made("p", "hint", help)
    hint.id = "board-help"
    this.#undo.ariaKeyShortcuts = "Control+Z"
    this.#undo.addEventListener("click", () => this.undo())
    const bar = made("div", "bar")
    bar.append(hint, this.#saving, this.#undo)
    panel.append(this.#panel, bar, this.#spoken)
    this.#dragging = new Dragging(this.#panel, (item, place) => this.#move(item, place))
    panel.addEventListener("keydown", (event) => this.#press(event))
    this.#panel.addEventListener("focusin", (event) => this.#rove(event.target.closest("[data-key]")))
    this.#edits.addEventListener("change", () => this.update({ isAnimated: true }))
    this.#edits.addEventListener("refused", ({ detail }) => this.#refuse(detail))
    this.#edits.addEventListener("conflict", ({ detail }) => {
      const what = conflicts[detail.contradiction]
      if (what) this.#say(`${this.#title(detail.edit.item)}: ${what}`)
    })
    for (const source of [follower, this.proposer]) {
      source.addEventListener("state", () => this.#tell())
    }
  }

  /** Goes on with the edits of the page as it was before it was loaded again. */
  async prepare() { this.proposer.keep(await Store.open("board")) }

  /** How many cards the board has: one that was refused when it was added is none. */
  get count() { return this.#edits.sections.reduce((sum, { items }) => sum + items.length, 0) }

  get hasSections() { return this.#edits.sections.length > 0 }

  /** What is said above the board; empty while changes are saved. */
  get notice() {
    const { state } = this.#follower
    const reason = cause(state) || (this.proposer.isFailing ? cause("waiting") : "")
    const count = this.#edits.edits.length
    const changes = `${counted(count, "change")} wait${count === 1 ? "s" : ""}`
    if (!reason) return ""
    if (state === "ended") return count ? `${reason} ${counted(count, "change")} will not be saved.` : reason
    return `${reason} ${count ? `${changes} here, and will be sent.` : "You can go on, and changes will wait here."}`
  }

  // What is shown

  /** Shows what has changed. */
  update({ isAnimated }) {
    const before = new Map()
    if (isAnimated) for (const [id, { card }] of this.#cards) before.set(id, card.getBoundingClientRect())
    const focused = document.activeElement
    const lanes = new Map()
    const cards = new Map()
    for (const { id, items } of this.#edits.sections) {
      const lane = this.#lanes.get(key(id)) ?? this.#lane(id)
      lanes.set(key(id), lane)
      lane.count.textContent = items.length
      lane.empty.hidden = items.length > 0
      // A card that was refused, and is in no column, stays at the end of its column until it is dismissed.
      const refused = [...this.#refusals.values()].map(({ edit }) => edit)
        .filter(({ item, model, place }) => model && place.section === id && !this.#edits.model(item))
      const shown = [...items, ...refused.map(({ item }) => item)]
      for (const item of shown) cards.set(key(item), this.#cards.get(key(item)) ?? this.#emptyCard(item))
      arrange(lane.cards, shown.map((item) => cards.get(key(item)).card))
      // After they have moved: Chromium forgets to draw a change of an element that moves then.
      for (const item of items) this.#fill(cards.get(key(item)), this.#edits.model(item))
      for (const { item, model } of refused) this.#fill(cards.get(key(item)), model)
    }
    arrange(this.#panel, [...lanes.values()].map(({ element }) => element))
    const gone = [...this.#cards].filter(([id]) => !cards.has(id))
    const next = this.#neighbour(this.#current, cards)
    for (const [id, { card }] of gone) this.#remove(card, before.get(id))
    ;[this.#lanes, this.#cards] = [lanes, cards]
    this.#rove(cards.get(next)?.card)
    // A card that moves to another column keeps the focus; if it goes, its neighbour has it.
    if (focused?.isConnected && focused !== document.activeElement) focused.focus({ preventScroll: true })
    if (gone.some(([, { card }]) => card.contains(focused))) cards.get(next)?.card.focus()
    for (const [id, { card }] of isAnimated ? cards : []) {
      const [old, place] = [before.get(id), card.getBoundingClientRect()]
      if (old) slide(card, old.left - place.left, old.top - place.top)
      else appear(card)
    }
    this.#undo.disabled = !this.#edits.canUndo
    this.#tell()
  }

  /** The key of a card that is shown: this one, or what is in its place. */
  #neighbour(id, cards) {
    if (cards.has(id)) return id
    const old = [...this.#cards.keys()]
    const index = old.indexOf(id)
    const after = [...old.slice(index + 1), ...old.slice(0, Math.max(0, index)).reverse()]
    return after.find((id) => cards.has(id)) ?? [...cards.keys()][0] ?? null
  }

  #lane(id) {
    const element = made("section", "lane")
    element.dataset.section = JSON.stringify(id)
    const heading = made("h2", "heading")
    const count = made("span", "note")
    heading.append(made("span", "title", id), count)
    const cards = made("ul", "cards")
    cards.setAttribute("role", "list")
    element.ariaLabel = cards.ariaLabel = id
    const form = made("form", "add")
    const field = made("input", "")
    Object.assign(field, { placeholder: "Add a card", ariaLabel: `Add a card to ${id}`, autocomplete: "off" })
    form.append(field, made("button", "", "Add"))
    form.addEventListener("submit", (event) => {
      event.preventDefault()
      this.#insert(id, field)
    })
    const empty = made("p", "nothing", "No cards")
    element.append(heading, cards, empty, form)
    return { element, count, cards, empty }
  }

  #fill(entry, model) {
    entry.model = model
    const refusal = this.#refusals.get(key(entry.item))
    fillCard(entry, model, this.#edits.isPending(entry.item), refusal?.reason)
  }

  #emptyCard(item) {
    const entry = makeCard({
      tick: () => this.#tick(item), rename: () => this.#rename(item), delete: () => this.#delete(item),
      step: (arrow) => this.#step(item, arrow), dismiss: () => this.#dismiss(item),
    })
    entry.card.dataset.key = key(item)
    // On a phone, a tap alone gives no focus, and the buttons of a card are those of the one with the focus.
    entry.card.addEventListener("click", (event) => {
      if (!entry.card.contains(document.activeElement) && !event.target.closest("button, input, label")) {
        entry.card.focus({ preventScroll: true })
      }
    })
    entry.card.addEventListener("pointerdown", (event) => this.#dragging.begin(event, entry.card, item))
    return { item, ...entry }
  }

  /** Lets a card go where it was, out of the way of the others. */
  #remove(card, place) {
    if (!place) return card.remove()
    const panel = this.#panel.getBoundingClientRect()
    card.classList.add("leaving")
    card.style.left = `${place.left - panel.left + this.#panel.scrollLeft}px`
    card.style.top = `${place.top - panel.top + this.#panel.scrollTop}px`
    card.style.width = `${place.width}px`
    this.#panel.append(card)
    vanish(card)
  }

  #tell() {
    const count = this.#edits.edits.length
    const isSaving = count > 0 && !this.notice
    const text = isSaving ? `Saving ${counted(count, "change")}` : ""
    if (this.#saving.textContent !== text) this.#saving.textContent = text
    this.dispatchEvent(new CustomEvent("change"))
  }

  /** Tells those who read the page otherwise. */
  #say(text) {
    // The same text again is no change.
    this.#spoken.textContent = this.#spoken.textContent === text ? `${text}\u00a0` : text
  }

  #title(item) { return this.#edits.model(item)?.title ?? this.#cards.get(key(item))?.model.title ?? "The card" }

  #refuse({ edit, reason }) {
    // What depends on a card that was refused says nothing new.
    if (this.#refusals.has(key(edit.item)) && !this.#edits.model(edit.item)) return
    this.#refusals.set(key(edit.item), { edit, reason })
    this.#say(`${edit.model?.title ?? this.#title(edit.item)} was not saved: ${reason}`)
  }

  // What the user does

  /** Makes an edit, and says what it does. */
  #edit(edit, what) {
    this.#refusals.delete(key(edit.item))
    const title = edit.model?.title ?? this.#title(edit.item)
    if (!this.#edits.add(edit)) return
    const section = this.#edits.sections.find(({ items }) => items.some((id) => key(id) === key(edit.item)))
    const place = section
      ? `, ${section.items.indexOf(edit.item) + 1} of ${section.items.length} in ${section.id}` : ""
    this.#say(`${title}: ${what}${edit.place ? place : ""}.`)
  }

  #insert(section, field) {
    const title = field.value.trim()
    if (!title) return
    field.value = ""
    // The server of the board takes letters, digits and “-”.
    const item = newID().replaceAll("_", "-")
    const after = this.#edits.sections.find(({ id }) => id === section)?.items.at(-1) ?? null
    this.#edit({ item, model: { id: item, title, isDone: false }, place: { section, after } }, "added")
  }

  #tick(item) {
    const isDone = !this.#edits.model(item)?.isDone
    this.#edit({ item, fields: { isDone } }, isDone ? "done" : "open again")
  }

  #delete(item) { this.#edit({ item, deletes: true }, "deleted") }

  #move(item, place) { this.#edit({ item, place }, "moved") }

  #dismiss(item) {
    this.#refusals.delete(key(item))
    this.update({ isAnimated: true })
  }

  undo() {
    const edit = this.#edits.undo()
    this.#say(edit ? `${this.#title(edit.item)}: taken back.` : "There is nothing to take back.")
  }

  /** Moves a card by one place, or to another column. */
  #step(item, arrow) {
    const { sections } = this.#edits
    const column = sections.findIndex(({ items }) => items.some((id) => key(id) === key(item)))
    if (column < 0) return
    const { id: section, items } = sections[column]
    const index = items.findIndex((id) => key(id) === key(item))
    if (arrow === "ArrowUp" || arrow === "ArrowDown") {
      const after = arrow === "ArrowUp" ? items[index - 2] ?? null : items[index + 1]
      const isPossible = arrow === "ArrowUp" ? index > 0 : after !== undefined
      if (isPossible) this.#move(item, { section, after })
      return
    }
    const target = sections[column + (arrow === "ArrowLeft" ? -1 : 1)]
    if (!target) return
    this.#move(item, { section: target.id, after: target.items[Math.min(index, target.items.length) - 1] ?? null })
  }

  #rename(item) {
    const { card, line, title } = this.#cards.get(key(item))
    // What was refused can be corrected, and need not be typed again.
    const refused = this.#refusals.get(key(item))?.edit
    const isNew = !this.#edits.model(item)
    if ((isNew && !refused?.model) || line.querySelector(".field")) return
    const old = (isNew ? refused.model.title : refused?.fields?.title) ?? this.#title(item)
    const field = made("input", "field")
    Object.assign(field, { value: old, ariaLabel: "Title", autocomplete: "off" })
    title.hidden = true
    title.after(field)
    field.focus()
    field.select()
    let isOver = false
    const end = (isKept) => {
      // Whoever removes it takes the focus from it.
      if (isOver) return
      isOver = true
      const hadFocus = document.activeElement === field
      const text = field.value.trim()
      field.remove()
      title.hidden = false
      if (hadFocus) card.focus()
      if (!isKept || text === old) return
      if (!isNew) return this.#edit({ item, fields: { title: text } }, `renamed to ${text}`)
      this.#edit({ item, model: { ...refused.model, title: text }, place: refused.place }, "added")
    }
    field.addEventListener("keydown", (event) => {
      event.stopPropagation()
      if (event.key === "Enter" || event.key === "Escape") end(event.key === "Enter")
    })
    field.addEventListener("blur", () => end(true))
  }

  // Keys

  /** One card can be reached by the tab key; arrows lead to the others. */
  #rove(card) {
    if (!card) return
    this.#current = card.dataset.key
    for (const [id, other] of this.#cards) other.card.tabIndex = id === this.#current ? 0 : -1
  }

  #press(event) {
    const isText = event.target.matches("input:not(.tick)")
    if (event.key === "z" && (event.ctrlKey || event.metaKey) && !isText) {
      event.preventDefault()
      return this.undo()
    }
    const entry = this.#cards.get(event.target.dataset?.key)
    if (!entry) return
    const isArrow = event.key.startsWith("Arrow")
    const acts = {
      " ": () => this.#tick(entry.item), Enter: () => this.#rename(entry.item),
      F2: () => this.#rename(entry.item), Delete: () => this.#delete(entry.item),
      Escape: () => this.#dismiss(entry.item),
    }
    const act = acts[event.key]
      ?? (isArrow && (event.altKey ? () => this.#step(entry.item, event.key) : () => this.#go(entry, event.key)))
    if (!act || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    act()
  }

  #go({ card }, arrow) {
    const lanes = [...this.#panel.querySelectorAll(".lane")]
      .map((lane) => [...lane.querySelectorAll("[data-key]")])
    const column = lanes.findIndex((cards) => cards.includes(card))
    const index = lanes[column].indexOf(card)
    if (arrow === "ArrowUp" || arrow === "ArrowDown") {
      return lanes[column][index + (arrow === "ArrowUp" ? -1 : 1)]?.focus()
    }
    const beside = arrow === "ArrowLeft" ? lanes.slice(0, column).reverse() : lanes.slice(column + 1)
    const cards = beside.find((cards) => cards.length)
    cards?.[Math.min(index, cards.length - 1)].focus()
  }
}
