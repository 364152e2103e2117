// The gallery: banners and films in rows that scroll sideways, photographs in a grid.

import { arrange, made } from "./elements.js"
import { key } from "./diffable/list.js"
import { appear, slide, vanish } from "./motion.js"

const kinds = { Today: "banners", Photographs: "photos", "Now showing": "films" }

/** What a card shows, by what it has. */
function fill(card, { title, text, color, sign, likes, seen, length }) {
  const parts = [made("strong", "title", title)]
  if (text) parts.push(made("p", "", text))
  if (color) card.style.setProperty("--color", `rgb(${color.join(" ")})`)
  if (sign) parts.unshift(made("span", "sign", sign))
  if (likes !== undefined) parts.push(made("span", "note likes", `♥ ${likes}`))
  if (length) {
    const progress = made("progress", "")
    Object.assign(progress, { max: length, value: seen, ariaLabel: "Seen" })
    parts.push(progress, made("span", "note", `${seen} of ${length} min`))
  }
  card.replaceChildren(...parts)
}

export class GalleryView {
  unit = "exhibit"
  #list
  #panel
  #sections = new Map()
  #cards = new Map()

  constructor(panel, list) {
    ;[this.#panel, this.#list] = [made("div", "scroller"), list]
    panel.className = "gallery"
    panel.append(this.#panel)
    this.#panel.addEventListener("keydown", (event) => this.#press(event))
  }

  /** Shows what has changed. */
  update({ isAnimated }) {
    const before = new Map()
    if (isAnimated) {
      for (const [id, { card }] of this.#cards) before.set(id, card.getBoundingClientRect())
    }
    const hadFocus = document.activeElement
    const sections = new Map()
    const cards = new Map()
    for (const { id, items } of this.#list.sections) {
      const section = this.#sections.get(key(id)) ?? this.#section(id)
      sections.set(key(id), section)
      section.count.textContent = this.#counted(id, items.length)
      section.element.hidden = !items.length
      for (const item of items) cards.set(key(item), this.#card(item))
      arrange(section.cards, items.map((item) => cards.get(key(item)).card))
    }
    arrange(this.#panel, [...sections.values()].map((section) => section.element))
    for (const [id, { card }] of this.#cards) if (!cards.has(id)) this.#remove(card, before.get(id))
    ;[this.#sections, this.#cards] = [sections, cards]
    if (hadFocus?.isConnected && hadFocus !== document.activeElement) hadFocus.focus({ preventScroll: true })
    this.#rove()
    if (isAnimated) this.#animate(before)
  }

  #counted(id, count) {
    const all = this.#list.sectionModel(id) ?? count
    return all === count ? `${all}` : `${count} of ${all}`
  }

  #section(id) {
    const element = made("section", kinds[id] ?? "photos")
    const heading = made("h2", "heading")
    const count = made("span", "note")
    heading.append(made("span", "title", id), count)
    const cards = made("ul", "cards")
    cards.setAttribute("role", "list")
    cards.ariaLabel = id
    element.append(heading, cards)
    return { element, count, cards }
  }

  #card(item) {
    const model = this.#list.model(item)
    const entry = this.#cards.get(key(item)) ?? { card: made("li", "card") }
    if (entry.model !== model) fill(entry.card, model)
    entry.model = model
    entry.card.dataset.key = key(item)
    return entry
  }

  /** Lets a card go where it was, out of the way of the others. */
  #remove(card, place) {
    if (!place) return card.remove()
    const panel = this.#panel.getBoundingClientRect()
    card.classList.add("leaving")
    card.style.left = `${place.left - panel.left}px`
    card.style.top = `${place.top - panel.top + this.#panel.scrollTop}px`
    card.style.width = `${place.width}px`
    card.style.height = `${place.height}px`
    this.#panel.append(card)
    vanish(card)
  }

  #animate(before) {
    const after = [...this.#cards].map(([id, { card }]) => [id, card, card.getBoundingClientRect()])
    for (const [id, card, place] of after) {
      const old = before.get(id)
      if (old) slide(card, old.left - place.left, old.top - place.top)
      else appear(card)
    }
  }

  /** One card can be reached by the tab key; arrows lead to the others. */
  #rove() {
    const cards = [...this.#cards.values()].map(({ card }) => card)
    const current = cards.find((card) => card.tabIndex === 0) ?? cards[0]
    for (const card of cards) card.tabIndex = card === current ? 0 : -1
  }

  #press(event) {
    const cards = [...this.#cards.values()].map(({ card }) => card)
    const index = cards.indexOf(document.activeElement)
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1, Home: -index, End: cards.length }
    if (index < 0 || !(event.key in steps)) return
    event.preventDefault()
    cards[index].tabIndex = -1
    const next = cards[Math.max(0, Math.min(cards.length - 1, index + steps[event.key]))]
    next.tabIndex = 0
    next.focus()
  }
}
