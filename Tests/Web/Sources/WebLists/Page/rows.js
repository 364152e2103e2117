// A list of many rows of one height in sections. Only rows that can be seen are elements.

import { key } from "./diffable/list.js"
import { appear, offset, slide, vanish } from "./motion.js"

const headingHeight = 36
/** How many rows more than can be seen are elements, at each end. */
const margin = 6

const made = (className, parent) => {
  const element = document.createElement("div")
  element.className = className
  parent?.append(element)
  return element
}

/** Where everything is, from the counts of the sections. */
class Layout {
  #tops = []
  #firsts = []
  /** The number of each row, by its key. */
  numbers = new Map()

  constructor(sections, rowHeight) {
    Object.assign(this, { sections, rowHeight, height: 0, count: 0 })
    for (const { items } of sections) {
      this.#tops.push(this.height)
      this.#firsts.push(this.count)
      this.height += headingHeight + items.length * rowHeight
      for (const id of items) this.numbers.set(key(id), this.count++)
    }
  }

  /** The last section whose number in a list is at most a value. */
  #section(list, value) {
    let [low, high] = [0, list.length]
    while (low + 1 < high) {
      const middle = (low + high) >> 1
      if (list[middle] <= value) low = middle
      else high = middle
    }
    // Before sections without rows, others have the same number.
    return low
  }

  row(number) {
    const index = this.#section(this.#firsts, number)
    const section = this.sections[index]
    return { section: section.id, id: section.items[number - this.#firsts[index]] }
  }

  top(number) {
    const index = this.#section(this.#firsts, number)
    return this.#tops[index] + headingHeight + (number - this.#firsts[index]) * this.rowHeight
  }

  topOf(id) {
    const number = this.numbers.get(id)
    return number === undefined ? undefined : this.top(number)
  }

  /** The number of the first row that ends below a place. */
  number(top) {
    if (!this.count) return 0
    const index = this.#section(this.#tops, top)
    const inside = Math.floor((top - this.#tops[index] - headingHeight) / this.rowHeight)
    const within = Math.max(0, Math.min(inside, this.sections[index].items.length))
    return Math.min(this.#firsts[index] + within, this.count - 1)
  }

  /** The sections between two places. */
  *headings(top, bottom) {
    if (!this.sections.length) return
    for (let index = this.#section(this.#tops, top); index < this.sections.length; index += 1) {
      if (this.#tops[index] > bottom) return
      const { id, items } = this.sections[index]
      const height = headingHeight + items.length * this.rowHeight
      yield { id, top: this.#tops[index], height, count: items.length, first: this.#firsts[index] + 1 }
    }
  }
}

export class RowsView {
  #list
  #kind
  #scroller
  #canvas
  #detail
  #layout
  #rows = new Map()
  #headings = new Map()
  /** The key of the row that has the focus, or gets it first. */
  #focused = null
  #frame = 0

  constructor(panel, list, kind) {
    ;[this.#list, this.#kind] = [list, kind]
    panel.className = kind.className
    if (kind.columns) {
      const titles = made("titles line", panel)
      titles.ariaHidden = "true"
      titles.append(...kind.columns.map((name) => Object.assign(made(""), { textContent: name })))
    }
    this.#scroller = made("scroller", panel)
    this.#canvas = made("canvas", this.#scroller)
    this.#canvas.setAttribute("role", "listbox")
    this.#canvas.ariaLabel = kind.name
    this.#detail = made("detail", panel)
    // A row has its whole text as a label.
    this.#detail.ariaHidden = "true"
    this.#detail.hidden = true
    this.#layout = new Layout([], kind.rowHeight)
    this.#scroller.tabIndex = -1
    this.#scroller.addEventListener("scroll", () => this.#renderSoon(), { passive: true })
    this.#canvas.addEventListener("keydown", (event) => this.#press(event))
    this.#canvas.addEventListener("focusin", (event) => {
      const row = event.target.closest("[data-key]")
      if (row) this.#focus(row.dataset.key)
      this.#renderSoon()
    })
    this.#canvas.addEventListener("focusout", () => this.#renderSoon())
    // On a phone, a tap alone gives no focus.
    this.#canvas.addEventListener("click", (event) =>
      event.target.closest("[data-key]")?.focus({ preventScroll: true }))
    new ResizeObserver(() => this.#resize()).observe(this.#scroller)
  }

  /** Keeps the row at the top where rows get another height, and the one with the focus in sight. */
  #resize() {
    const old = this.#layout
    if (old.rowHeight !== this.#kind.rowHeight) {
      const number = old.number(this.#scroller.scrollTop)
      this.#layout = new Layout(old.sections, this.#kind.rowHeight)
      this.#canvas.style.height = `${this.#layout.height}px`
      if (this.#scroller.scrollTop > 0) this.#scroller.scrollTop = this.#layout.top(number)
    }
    const focused = this.#layout.numbers.get(this.#focused)
    if (!this.#detail.hidden && focused !== undefined) this.#reveal(focused)
    this.#renderSoon()
  }

  /** Shows what has changed. */
  update({ isReset, isAnimated, moved, inserted }) {
    const old = this.#layout
    const oldScroll = this.#scroller.scrollTop
    const anchor = oldScroll > 0 && !isReset ? this.#anchor(moved) : undefined
    const layout = new Layout(this.#list.sections, this.#kind.rowHeight)
    this.#layout = layout
    this.#canvas.style.height = `${layout.height}px`
    if (!layout.numbers.has(this.#focused)) {
      // What stands in the place of the row that has gone.
      const number = Math.min(old.numbers.get(this.#focused) ?? 0, layout.count - 1)
      this.#focused = layout.count ? key(layout.row(number).id) : null
    }
    if (anchor) this.#scroller.scrollTop += layout.topOf(anchor) - old.topOf(anchor)
    const shift = this.#scroller.scrollTop - oldScroll
    this.#render(isAnimated ? { old, shift, inserted } : undefined)
  }

  /** The first row to be seen that stays where it is among others: it keeps its place on the screen. */
  #anchor(moved) {
    const keys = new Set(this.#list.sections.flatMap((section) => section.items.map(key)))
    const first = this.#layout.number(this.#scroller.scrollTop)
    for (let number = first; number < Math.min(first + 50, this.#layout.count); number += 1) {
      const id = key(this.#layout.row(number).id)
      if (keys.has(id) && !moved.has(id)) return id
    }
  }

  #renderSoon() {
    this.#frame ||= requestAnimationFrame(() => this.#render())
  }

  #render(change) {
    cancelAnimationFrame(this.#frame)
    this.#frame = 0
    const { scrollTop, clientHeight } = this.#scroller
    const layout = this.#layout
    const first = Math.max(0, layout.number(scrollTop) - margin)
    const end = layout.count ? Math.min(layout.count, layout.number(scrollTop + clientHeight) + 1 + margin) : 0
    const numbers = new Set()
    for (let number = first; number < end; number += 1) numbers.add(number)
    // The row that has the focus stays an element, or the focus would be lost.
    const focused = layout.numbers.get(this.#focused)
    if (focused !== undefined) numbers.add(focused)

    const hadFocus = this.#canvas.contains(document.activeElement)
    const edge = { top: scrollTop - 2 * this.#kind.rowHeight, bottom: scrollTop + clientHeight + this.#kind.rowHeight }
    const shown = new Map()
    for (const number of [...numbers].sort((left, right) => left - right)) {
      const { id, section } = layout.row(number)
      shown.set(key(id), { id, section, number, top: layout.top(number) })
    }
    for (const [id, row] of this.#rows) {
      if (shown.has(id)) continue
      this.#rows.delete(id)
      const top = layout.topOf(id)
      if (!change) row.element.remove()
      else if (top === undefined) vanish(row.element)
      else vanish(row.element, Math.sign(top - scrollTop) * this.#kind.rowHeight)
    }
    let next = this.#canvas.firstElementChild
    for (const [id, place] of shown) {
      const row = this.#rows.get(id)
      const before = row ? row.top + offset(row.element) : change?.old.topOf(id)
      const element = this.#place(id, place)
      if (element === next) next = next.nextElementSibling
      else if (element.isConnected && this.#canvas.moveBefore) this.#canvas.moveBefore(element, next)
      else this.#canvas.insertBefore(element, next)
      if (!change) continue
      if (change.inserted.has(id) && !row) appear(element)
      else if (before !== undefined) {
        const from = Math.max(edge.top, Math.min(edge.bottom, before + change.shift))
        slide(element, 0, from - place.top)
      }
    }
    this.#renderHeadings(scrollTop, clientHeight)
    if (hadFocus) this.#rows.get(this.#focused)?.element.focus({ preventScroll: true })
    this.#renderDetail(hadFocus ? this.#rows.get(this.#focused)?.model : undefined)
  }

  /** Shows in full what the row with the focus may have no room for. */
  #renderDetail(model) {
    const text = (model && this.#kind.detail?.(model)) ?? ""
    this.#detail.textContent = text
    this.#detail.hidden = !text
  }

  /** The element of a row, at its place and with what there is to see. */
  #place(id, { id: item, section, number, top }) {
    let row = this.#rows.get(id)
    if (!row) {
      row = { element: made("row line") }
      row.element.setAttribute("role", "option")
      row.element.dataset.key = id
      this.#rows.set(id, row)
    }
    const { element } = row
    const model = this.#list.model(item)
    if (row.model !== model || row.section !== section) this.#kind.fill(element, model, section)
    Object.assign(row, { model, section, top })
    Object.assign(element.style, { top: `${top}px`, height: `${this.#layout.rowHeight}px` })
    element.ariaPosInSet = number + 1
    element.ariaSetSize = this.#layout.count
    element.tabIndex = id === this.#focused ? 0 : -1
    return element
  }

  #renderHeadings(scrollTop, clientHeight) {
    const headings = new Map()
    for (const place of this.#layout.headings(scrollTop, scrollTop + clientHeight)) {
      const id = key(place.id)
      const rail = this.#headings.get(id) ?? made("rail", this.#canvas)
      const heading = rail.firstElementChild ?? made("heading", rail)
      rail.ariaHidden = "true"
      rail.style.top = `${place.top}px`
      rail.style.height = `${place.height}px`
      heading.replaceChildren(
        ...this.#kind.heading(place.id, this.#list.sectionModel(place.id), place.count, place.first))
      headings.set(id, rail)
    }
    for (const [id, rail] of this.#headings) if (!headings.has(id)) rail.remove()
    this.#headings = headings
  }

  // Keys

  #press(event) {
    const { count, numbers } = this.#layout
    const page = Math.max(1, Math.floor(this.#scroller.clientHeight / this.#kind.rowHeight) - 2)
    const steps = {
      ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page, Home: -Infinity, End: Infinity,
    }
    const step = steps[event.key]
    if (step === undefined || !count || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const number = Math.max(0, Math.min(count - 1, (numbers.get(this.#focused) ?? 0) + step))
    this.#reveal(number)
    this.#focus(key(this.#layout.row(number).id))
    this.#render()
  }

  /** Scrolls as far as needed for a row to be seen. */
  #reveal(number) {
    const { scrollTop, clientHeight } = this.#scroller
    const top = this.#layout.top(number)
    if (top - headingHeight < scrollTop) this.#scroller.scrollTop = top - headingHeight
    else if (top + this.#kind.rowHeight > scrollTop + clientHeight) {
      this.#scroller.scrollTop = top + this.#kind.rowHeight - clientHeight
    }
  }

  #focus(id) {
    const before = this.#rows.get(this.#focused)
    if (before) before.element.tabIndex = -1
    this.#focused = id
    const row = this.#rows.get(id)
    if (row) row.element.tabIndex = 0
  }
}
