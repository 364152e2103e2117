// A long list on the screen. Only the rows that can be seen are elements, as high as they are. The page “Long lists” says
// what stays where it is, and what changes cost.

import { key } from "./list.js"
import { Places } from "./places.js"

/** How many rows more than can be seen are elements, at each end. */
const margin = 6

const made = (className, parent) => {
  const element = document.createElement("div")
  element.className = className
  parent?.append(element)
  return element
}

export class LongList {
  /** How often there was something to draw, and how many rows were filled, placed and measured for that. */
  work = { draws: 0, fills: 0, placements: 0, measurements: 0 }
  #scroller
  #canvas
  #options
  #places
  #rowHeight
  #width = 0
  #rows = new Map()
  #headings = new Map()
  /** The key of the row that has the focus, or gets it first. */
  #focused = null
  #frame = 0
  /** What has changed since rows were drawn. */
  #pending = null
  #heights = new ResizeObserver((rows) => {
    const isOther = ({ target }) => this.#places.place(target.dataset.key)?.height !== target.offsetHeight
    if (rows.some(isOther)) this.#drawSoon()
  })
  /** Where rows were drawn. */
  #top = 0

  constructor(scroller, options) {
    ;[this.#scroller, this.#options] = [scroller, { headingHeight: 0, roles: ["list", "listitem"], ...options }]
    this.#rowHeight = options.rowHeight()
    this.#places = new Places({ heading: this.#options.headingHeight, row: this.#rowHeight })
    this.#canvas = made("canvas", scroller)
    this.#canvas.setAttribute("role", this.#options.roles[0])
    this.#canvas.ariaLabel = options.label
    scroller.tabIndex = -1
    scroller.addEventListener("scroll", () => {
      if (scroller.scrollTop !== this.#top) this.#drawSoon()
    }, { passive: true })
    this.#canvas.addEventListener("keydown", (event) => this.#press(event))
    this.#canvas.addEventListener("focusin", (event) => {
      const row = event.target.closest("[data-key]")
      if (row) this.#focus(row.dataset.key)
      this.#drawSoon()
    })
    this.#canvas.addEventListener("focusout", () => this.#drawSoon())
    // On a phone, a tap alone gives no focus.
    this.#canvas.addEventListener("click", (event) =>
      event.target.closest("[data-key]")?.focus({ preventScroll: true }))
    new ResizeObserver(() => this.#resize()).observe(scroller)
  }

  get count() { return this.#places.count }

  /** Goes on to the sections after a change, by its difference; without one, from scratch. */
  follow(sections, change) {
    const { difference, isAnimated = false, moved = [], inserted = [], renamed = [] } = change ?? {}
    const pending = this.#begin()
    pending.isAnimated &&= isAnimated
    for (const id of inserted) pending.inserted.add(id)
    for (const id of moved) if (!pending.from.has(id)) pending.from.set(id, this.#places.place(id)?.top)
    const number = this.#places.numberOf(this.#focused) ?? 0
    if (difference) this.#places.follow(sections, difference)
    else this.#places.show(sections)
    this.#rename(renamed)
    // What is in the place of the row that has gone.
    if (this.#places.numberOf(this.#focused) === undefined) {
      this.#focused = this.count ? this.#places.row(Math.min(number, this.count - 1)).key : null
    }
  }

  /** What has changed, from what is shown now. */
  #begin() {
    if (!this.#pending) {
      const { scrollTop, clientHeight } = this.#scroller
      const hold = this.#places.hold(scrollTop, clientHeight)
      this.#pending = { hold, scrollTop, isAnimated: true, inserted: new Set(), from: new Map() }
      this.#drawSoon()
    }
    return this.#pending
  }

  /** The elements of rows stay those of the same rows. */
  #rename(renamed) {
    const names = new Map(renamed.map((rename) => [key(rename.old), key(rename.new)]))
    const rows = [...names].map(([old, name]) => [name, this.#rows.get(old)])
    for (const old of names.keys()) this.#rows.delete(old)
    // What had a name until now has gone. Its element goes when rows are drawn.
    for (const name of names.values()) {
      const gone = this.#rows.get(name)
      if (gone && this.#rows.delete(name)) this.#rows.set(Symbol(name), gone)
    }
    for (const [name, row] of rows) {
      if (!row) continue
      row.element.dataset.key = name
      this.#rows.set(name, row)
    }
    const isGone = [...names.values()].includes(this.#focused)
    this.#focused = names.get(this.#focused) ?? (isGone ? null : this.#focused)
  }

  /** Heights for another width are forgotten, and what is seen and has the focus stays in sight. */
  #resize() {
    const { clientWidth, clientHeight } = this.#scroller
    if (!clientHeight) return
    const rowHeight = this.#options.rowHeight()
    if (this.#width !== clientWidth || this.#rowHeight !== rowHeight) {
      this.#begin()
      ;[this.#width, this.#rowHeight] = [clientWidth, rowHeight]
      this.#places.forgetHeights(rowHeight)
      for (const row of this.#rows.values()) row.isFilled = false
      this.#pending.isAnimated = false
    }
    const isSeen = this.#rows.get(this.#focused)?.element.contains(document.activeElement)
    this.#draw()
    if (isSeen) this.#reveal(this.#places.numberOf(this.#focused))
  }

  #drawSoon() { this.#frame ||= requestAnimationFrame(() => this.#draw()) }

  #scroll(top) {
    this.#canvas.style.height = `${this.#places.height}px`
    if (this.#scroller.scrollTop !== top) this.#scroller.scrollTop = top
  }

  #draw() {
    cancelAnimationFrame(this.#frame)
    this.#frame = 0
    // A list that is not shown has no heights.
    if (!this.#scroller.clientHeight) return
    this.work.draws += 1
    const pending = this.#pending
    this.#pending = null
    const { motion } = this.#options
    const isAnimated = pending?.isAnimated && motion
    const old = this.#scroller.scrollTop
    const before = new Map()
    if (isAnimated) for (const [id, row] of this.#rows) before.set(id, row.top + motion.offset(row.element) - old)
    // The user may have scrolled since. At the very top, nothing is held.
    const isHeld = pending && pending.scrollTop > 0 && old > 0
    this.#scroll(isHeld ? old + pending.hold() - pending.scrollTop : old)
    const hadFocus = this.#canvas.contains(document.activeElement)
    // Rows that were not as high as supposed leave room for others.
    let shown = this.#placed(isAnimated)
    while (this.#measure(shown)) shown = this.#placed(isAnimated)
    this.#top = this.#scroller.scrollTop
    if (isAnimated) this.#animate(shown, before, pending, old)
    this.#drawHeadings()
    if (hadFocus) this.#rows.get(this.#focused)?.element.focus({ preventScroll: true })
    this.#options.focused?.(hadFocus ? this.#rows.get(this.#focused)?.model : undefined)
  }

  /** Gives the rows that can be seen elements at their places; returns the keys in their order. */
  #placed(isAnimated) {
    const { scrollTop, clientHeight } = this.#scroller
    const first = Math.max(0, this.#places.number(scrollTop) - margin)
    const end = Math.min(this.count, this.#places.number(scrollTop + clientHeight) + 1 + margin)
    const numbers = Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index)
    // The row that has the focus stays an element, or the focus would be lost.
    const focused = this.#places.numberOf(this.#focused)
    if (focused < first) numbers.unshift(focused)
    if (focused >= end) numbers.push(focused)
    const rows = numbers.map((number) => this.#places.row(number))
    const shown = new Set(rows.map(({ key }) => key))
    this.#remove(shown, isAnimated)
    let next = this.#canvas.firstElementChild
    for (const { id, key, number, top } of rows) {
      const { element } = this.#place(id, key, number, top)
      // Rows that leave, and headings, are anywhere. Chromium scrolls to a row with the focus that is moved for no reason.
      while (next && !next.dataset.key) next = next.nextElementSibling
      if (element === next) next = next.nextElementSibling
      else if (element.isConnected && this.#canvas.moveBefore) this.#canvas.moveBefore(element, next)
      else this.#canvas.insertBefore(element, next)
    }
    return shown
  }

  /** The element of a row, at its place and with what there is to see. */
  #place(id, key, number, top) {
    let row = this.#rows.get(key)
    if (!row) {
      row = { element: made("row line"), isFilled: false }
      row.element.setAttribute("role", this.#options.roles[1])
      row.element.dataset.key = key
      this.#heights.observe(row.element, { box: "border-box" })
      this.#rows.set(key, row)
    }
    const { element } = row
    const [model, section] = [this.#options.model(id), this.#places.section(this.#places.sectionOf(number)).id]
    if (!row.isFilled || row.model !== model || row.section !== section) {
      this.#options.fill(element, model, section)
      this.work.fills += 1
    }
    Object.assign(row, { isFilled: true, model, section })
    if (row.top !== top) element.style.top = `${row.top = top}px`
    if (element.ariaPosInSet !== `${number + 1}`) element.ariaPosInSet = number + 1
    if (element.ariaSetSize !== `${this.count}`) element.ariaSetSize = this.count
    element.tabIndex = key === this.#focused ? 0 : -1
    this.work.placements += 1
    return row
  }

  /** Learns how high rows are; returns whether they are not where they were supposed. */
  #measure(shown) {
    const { scrollTop, clientHeight } = this.#scroller
    const hold = this.#places.hold(scrollTop, clientHeight)
    const heights = [...shown].map((key) => [key, this.#rows.get(key).element.offsetHeight])
    this.work.measurements += heights.length
    if (!this.#places.measure(heights)) return false
    this.#scroll(scrollTop > 0 ? hold() : 0)
    return true
  }

  #remove(shown, isAnimated) {
    const { scrollTop } = this.#scroller
    for (const [id, { element }] of this.#rows) {
      if (shown.has(id)) continue
      this.#rows.delete(id)
      this.#heights.unobserve(element)
      const place = this.#places.place(id)
      if (!isAnimated) {
        element.remove()
        continue
      }
      // Nobody finds what is there only until it has gone.
      for (const name of ["data-key", "role", "tabindex"]) element.removeAttribute(name)
      element.ariaHidden = "true"
      this.#options.motion.vanish(element, place ? Math.sign(place.top - scrollTop) * place.height : 0)
    }
  }

  /** Rows come from where they were on the screen, or from beyond its edge. */
  #animate(shown, before, { inserted, from }, old) {
    const { scrollTop, clientHeight } = this.#scroller
    const [above, below] = [-2 * this.#rowHeight, clientHeight + this.#rowHeight]
    // A row that was no element has moved as its neighbour did.
    let way = 0
    for (const id of shown) {
      const { element, top } = this.#rows.get(id)
      const now = top - scrollTop
      const start = before.get(id)
      // That with the focus may be far away.
      if (now < above || now > below) continue
      if (start === undefined && inserted.has(id)) {
        this.#options.motion.appear(element)
        continue
      }
      const place = start ?? (from.has(id) ? from.get(id) - old : now + way)
      if (start !== undefined && !from.has(id)) way = start - now
      this.#options.motion.slide(element, 0, Math.max(above, Math.min(below, place)) - now)
    }
  }

  #drawHeadings() {
    const { fillHeading } = this.#options
    if (!fillHeading) return
    const { scrollTop, clientHeight } = this.#scroller
    const { sectionCount } = this.#places
    let index = this.count ? this.#places.sectionOf(this.#places.number(scrollTop)) : 0
    // Sections without rows may be seen before it.
    while (index > 0 && this.#end(index - 1) > scrollTop) index -= 1
    const headings = new Map()
    for (; index < sectionCount; index += 1) {
      const section = this.#places.section(index)
      if (section.top > scrollTop + clientHeight) break
      const rail = this.#headings.get(key(section.id)) ?? made("rail", this.#canvas)
      const heading = rail.firstElementChild ?? made("heading", rail)
      rail.ariaHidden = "true"
      Object.assign(rail.style, { top: `${section.top}px`, height: `${section.height}px` })
      fillHeading(heading, section)
      headings.set(key(section.id), rail)
    }
    for (const [id, rail] of this.#headings) if (!headings.has(id)) rail.remove()
    this.#headings = headings
  }

  #end(index) {
    const { top, height } = this.#places.section(index)
    return top + height
  }

  // Keys

  #press(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    // Keys are about what is seen.
    if (this.#pending) this.#draw()
    if (!this.count) return
    const number = this.#places.numberOf(this.#focused) ?? 0
    const { top } = this.#places.row(number)
    const page = Math.max(1, this.#scroller.clientHeight - this.#options.headingHeight - this.#rowHeight)
    const next = {
      ArrowUp: () => number - 1, ArrowDown: () => number + 1, Home: () => 0, End: () => this.count - 1,
      PageUp: () => Math.min(number - 1, this.#places.number(top - page)),
      PageDown: () => Math.max(number + 1, this.#places.number(top + page)),
    }[event.key]?.()
    if (next === undefined) return
    event.preventDefault()
    const target = Math.max(0, Math.min(this.count - 1, next))
    this.#focus(this.#places.row(target).key)
    this.#reveal(target)
    this.#draw()
    // Rows on the way may have been higher or lower than supposed.
    this.#reveal(this.#places.numberOf(this.#focused))
  }

  /** Scrolls as far as needed for a row to be seen. */
  #reveal(number) {
    if (number === undefined) return
    const { scrollTop, clientHeight } = this.#scroller
    const { headingHeight } = this.#options
    const { top, height } = this.#places.row(number)
    if (top - headingHeight < scrollTop) this.#scroll(Math.max(0, top - headingHeight))
    else if (top + height > scrollTop + clientHeight) this.#scroll(top + height - clientHeight)
  }

  #focus(id) {
    const before = this.#rows.get(this.#focused)
    if (before) before.element.tabIndex = -1
    this.#focused = id
    const row = this.#rows.get(id)
    if (row) row.element.tabIndex = 0
  }
}
