// The page: which list is shown, the search, and what is said of the connection.

import { BoardView } from "./board.js"
import { counted, made } from "./elements.js"
import { Follower } from "./diffable/follow.js"
import { GalleryView } from "./gallery.js"
import { processes, rows } from "./lines.js"
import { RowsView } from "./rows.js"

const views = {
  processes: (panel, { list }) => new RowsView(panel, list, processes),
  gallery: (panel, { list }) => new GalleryView(panel, list),
  rows: (panel, { list }) => new RowsView(panel, list, rows),
  board: (panel, follower) => new BoardView(panel, follower),
}
const words = {
  connecting: "Connecting",
  live: "Live",
  waiting: "Connection lost, trying again",
  full: "The server is full, trying again",
  refused: "Not allowed: open the address that the server has printed",
  ended: "The list has ended",
}

/** How long a search must have been as it is before what it finds is said, in milliseconds. */
const quiet = 500

const [panel, search, state, count, found] =
  ["list", "search", "state", "count", "found"].map((id) => document.getElementById(id))
const tabs = [...document.querySelectorAll("[role=tab]")]
let [follower, view] = [null, null]
/** Says what a search has found, after a while. */
let saying = 0

/** Shows a list. A page follows one at a time, since a browser has few connections to a server. */
async function show(name) {
  follower?.close()
  view?.close?.()
  follower = new Follower(name)
  // For the console, and for tests.
  window.follower = follower
  panel.replaceChildren()
  clearTimeout(saying)
  found.textContent = ""
  panel.setAttribute("aria-labelledby", `tab-${name}`)
  for (const tab of tabs) {
    tab.ariaSelected = tab.id === `tab-${name}`
    tab.tabIndex = tab.ariaSelected === "true" ? 0 : -1
  }
  search.hidden = name === "board"
  const current = follower
  const shown = views[name](panel, current)
  ;[view, window.view] = [shown, shown]
  const empty = made("p", "empty")
  empty.hidden = true
  panel.append(empty)
  const amount = () => counted(shown.count ?? current.list.count, shown.unit ?? "row")
  const nothing = () => (current.asked ? "Nothing found" : "The list is empty")
  // Drawn once for each frame, however many deltas come: the list is up to date, and nothing piles up.
  let pending = null
  current.addEventListener("change", ({ detail }) => {
    if (!pending) requestAnimationFrame(draw)
    pending = pending ? joined(pending, detail) : detail
  })
  const draw = () => {
    if (current !== follower) return
    shown.update(pending)
    pending = null
    count.textContent = amount()
    empty.textContent = nothing()
    empty.hidden = current.list.count > 0 || search.hidden
  }
  // Once for each search: who hears the page would hear nothing else if all changes of others were said.
  // A slow server sends what it has found after that: then it is said again.
  let [said, isAwaited] = ["", false]
  const sayFound = () => {
    clearTimeout(saying)
    saying = setTimeout(() => {
      said = current.asked
      found.textContent = current.list.count ? `${amount()}${said ? " found" : ""}` : nothing()
    }, quiet)
  }
  current.addEventListener("change", () => {
    if (isAwaited && current === follower) sayFound()
    isAwaited = false
  })
  current.addEventListener("state", () => {
    if (current !== follower) return
    state.value = words[current.state]
    state.dataset.state = current.state
    isAwaited = current.state === "live" && current.asked !== said
    if (isAwaited) sayFound()
    else clearTimeout(saying)
  })
  await shown.prepare?.()
  if (current !== follower) return
  if (!search.hidden) current.search(search.value)
  current.open()
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
search.addEventListener("input", () => follower.search(search.value))
search.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    search.value = ""
    follower.search("")
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
