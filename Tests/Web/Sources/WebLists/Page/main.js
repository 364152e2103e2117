// The page: which list is shown, the search, and what is said of the connection.

import { BoardView } from "./board.js"
import { counted, made } from "./elements.js"
import { Follower } from "./diffable/follow.js"
import { GalleryView } from "./gallery.js"
import { processes, rows } from "./lines.js"
import { RowsView } from "./rows.js"
import { above, hasCome, instead, states } from "./words.js"

const views = {
  processes: (panel, { list }) => new RowsView(panel, list, processes),
  gallery: (panel, { list }) => new GalleryView(panel, list),
  rows: (panel, { list }) => new RowsView(panel, list, rows),
  board: (panel, follower) => new BoardView(panel, follower),
}

/** How long a search must have been as it is before what it finds is said, in milliseconds. */
const quiet = 500

const [panel, search, state, count, found] =
  ["list", "search", "state", "count", "found"].map((id) => document.getElementById(id))
const tabs = [...document.querySelectorAll("[role=tab]")]
/** The lists that were shown, by their names. */
const pages = new Map()
let current = null

/**
 * A list with its search, and all that its user has done, which stays while another list is shown.
 *
 * It is followed while it is shown, and until its edits are sent: a browser has few connections to a server.
 */
class ListPage {
  element = made("div")
  search = ""
  #banner = made("div", "banner")
  #empty = made("p", "empty")
  /** What is to be drawn with the next frame. */
  #pending = null
  /** Ends when the view can be followed. */
  #ready = null
  /** The search that was said last, and whether what was found is still to come. */
  #said = ""
  #isAwaited = false
  #saying = 0
  /** Where its elements were scrolled to when it made way. */
  #scrolled = []

  constructor(name) {
    this.follower = new Follower(`lists/${name}`)
    this.#banner.setAttribute("role", "status")
    this.element.append(this.#banner)
    this.view = views[name](this.element, this.follower)
    this.element.classList.add("page")
    this.element.append(this.#empty)
    this.follower.addEventListener("change", ({ detail }) => this.#take(detail))
    this.follower.addEventListener("state", () => this.#turn())
    this.view.addEventListener?.("change", () => this.say())
  }

  get #isShown() { return current === this }

  /** Shows it as it was, and follows its list. */
  async come() {
    panel.replaceChildren(this.element)
    for (const [element, top, left] of this.#scrolled) element.scrollTo({ top, left, behavior: "instant" })
    this.say()
    if (this.#pending) requestAnimationFrame(() => this.#draw())
    await this.#prepare()
    if (!this.#isShown) return this.sendRest()
    this.follower.search(this.search)
    if (this.view.proposer) this.view.proposer.show()
    else this.follower.open()
  }

  #prepare() { return this.#ready ??= this.view.prepare?.() ?? Promise.resolve() }

  /** Sends the edits that an earlier life of the page has left, while another list is shown. */
  async sendRest() {
    await this.#prepare()
    const { proposer } = this.view
    if (this.#isShown || !proposer?.edits.edits.length) return
    proposer.hide()
    this.follower.open()
  }

  /** Makes way for another list. */
  leave() {
    clearTimeout(this.#saying)
    this.#scrolled = [...this.element.querySelectorAll("*")]
      .map((element) => [element, element.scrollTop, element.scrollLeft])
      .filter(([, top, left]) => top || left)
    if (this.view.proposer) this.view.proposer.hide()
    else this.follower.close()
  }

  /** Drawn once for each frame, however many deltas come: the list is up to date, and nothing piles up. */
  #take(change) {
    if (!this.#pending) requestAnimationFrame(() => this.#draw())
    this.#pending = this.#pending ? joined(this.#pending, change) : change
    this.view.follow?.(change)
    if (this.#isAwaited && this.#isShown) this.#sayFound()
    this.#isAwaited = false
  }

  #draw() {
    if (!this.#isShown || !this.#pending) return
    const change = this.#pending
    this.#pending = null
    this.view.update?.(change)
    this.say()
  }

  #turn() {
    if (!this.#isShown) return
    this.say()
    this.#isAwaited = this.follower.state === "live" && this.follower.asked !== this.#said
    if (this.#isAwaited) this.#sayFound()
    else clearTimeout(this.#saying)
  }

  get #count() { return this.view.count ?? this.follower.list.count }

  get #amount() { return counted(this.#count, this.view.unit ?? "row") }

  /** What the list is like, and its connection. */
  say() {
    if (!this.#isShown) return
    const { follower, view } = this
    const isSearching = follower.state === "connecting" && follower.asked
    state.value = isSearching ? "Searching" : states[follower.state]
    state.dataset.state = follower.state
    count.textContent = hasCome(follower) ? this.#amount : ""
    write(this.#banner, view.notice ?? above(follower))
    // A board without cards has columns to show.
    const isFull = this.#count > 0 || (view.hasSections ?? false)
    write(this.#empty, instead(follower, isFull))
    this.#empty.classList.toggle("loading", !hasCome(follower))
  }

  // Once for each search: who hears the page would hear nothing else if all changes of others were said.
  // A slow server sends what it has found after that: then it is said again.
  #sayFound() {
    clearTimeout(this.#saying)
    this.#saying = setTimeout(() => {
      this.#said = this.follower.asked
      found.textContent = this.#count ? `${this.#amount}${this.#said ? " found" : ""}`
        : instead(this.follower, 0)
    }, quiet)
  }
}

/** Shows a text, or hides its element if there is none. */
function write(element, text) {
  if (element.textContent !== text) element.textContent = text
  element.hidden = !text
}

function show(name) {
  current?.leave()
  if (!pages.has(name)) pages.set(name, new ListPage(name))
  current = pages.get(name)
  // For the console, and for tests.
  Object.assign(window, { follower: current.follower, view: current.view })
  panel.setAttribute("aria-labelledby", `tab-${name}`)
  for (const tab of tabs) {
    tab.ariaSelected = tab.id === `tab-${name}`
    tab.tabIndex = tab.ariaSelected === "true" ? 0 : -1
  }
  search.hidden = name === "board"
  search.value = current.search
  found.textContent = ""
  return current.come()
}

/** What two deltas have changed together. */
function joined(first, second) {
  return {
    isReset: first.isReset || second.isReset,
    isAnimated: first.isAnimated && second.isAnimated,
    moved: new Set([...first.moved, ...second.moved]),
    inserted: new Set([...first.inserted, ...second.inserted]),
  }
}

function showAddress() {
  const name = location.hash.slice(1)
  show(name in views ? name : "processes")
}

for (const [index, tab] of tabs.entries()) {
  tab.addEventListener("click", () => { location.hash = tab.id.replace("tab-", "") })
  tab.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (!step) return
    const next = tabs[(index + step + tabs.length) % tabs.length]
    next.focus()
    next.click()
  })
}
function find(text) {
  current.search = text
  current.follower.search(text)
}
search.addEventListener("input", () => find(search.value))
search.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    search.value = ""
    find("")
  } else if (event.key === "ArrowDown" || event.key === "Enter") {
    panel.querySelector("[tabindex='0']")?.focus()
    event.preventDefault()
  }
})
addEventListener("keydown", (event) => {
  if (event.key !== "/" || search.hidden || event.target.matches("input")) return
  search.focus()
  event.preventDefault()
})
addEventListener("hashchange", showAddress)
showAddress()
// The board is the list that can be edited.
if (!pages.has("board")) {
  const board = new ListPage("board")
  pages.set("board", board)
  board.sendRest()
}
