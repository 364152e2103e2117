// The text of Modules/follow.js. Change it there; Tests/DiffableWebTests say how it is recorded.
// swift-format-ignore-file

extension WebModule {
  static let followText = ##"""
// Follows a list of the server, through cuts, restarts and searches.

import { FollowedList } from "./list.js"

/** Pauses after failures: each twice as long as the one before, up to a limit. */
export class Pauses {
  #next

  /** In milliseconds. */
  constructor(first = 1_000, longest = 30_000) {
    Object.assign(this, { first, longest })
    this.reset()
  }

  reset() { this.#next = this.first }

  /** Up to half of a pause is dropped at random, so that not all pages try again at the same time. */
  next() {
    const pause = this.#next * (1 - Math.random() / 2)
    this.#next = Math.min(2 * this.#next, this.longest)
    return pause
  }
}

/** 128 random bits as 22 characters. */
export const newID = () => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))
  .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")

/** A connection to one list of the server. */
export class Follower extends EventTarget {
  list = new FollowedList()
  state = "connecting"
  // `follow.d.ts` says what these count, and more.
  resets = 0
  connections = 0
  heartbeats = 0
  /** How long the server may say nothing, in milliseconds: `EventSource` does not notice that it hangs. */
  patience = 45_000
  path
  /** Tells the server which view is this page's. */
  #page = newID().replaceAll("_", "-")
  #search = ""
  /** The search of the address that is open. */
  #asked = ""
  #source = null
  #timer = 0
  #silence = 0
  #pauses
  /** Whether a delta did not fit since the last heartbeat. */
  #isDoubtful = false

  constructor(path, pauses = new Pauses()) {
    super()
    ;[this.path, this.#pauses] = [path, pauses]
  }

  /** Connects, and goes on after the state that is held. */
  open(state = "connecting") {
    this.close(state)
    this.#asked = this.#search
    const source = new EventSource(this.#address())
    this.#source = source
    source.addEventListener("open", () => this.#opened())
    source.addEventListener("delta", (event) => this.#take(event.data))
    source.addEventListener("heartbeat", () => {
      this.heartbeats += 1
      this.#isDoubtful = false
      this.#pauses.reset()
    })
    source.addEventListener("end", () => this.close("ended"))
    source.addEventListener("error", () => this.#failed())
    for (const name of ["open", "delta", "heartbeat", "error"]) {
      source.addEventListener(name, () => this.#heard())
    }
    this.#heard()
  }

  /** Asks for the whole state. What is shown stays until it has come. */
  startOver() {
    this.list.token = null
    this.open()
  }

  get asked() { return this.#asked }

  close(state = "connecting") {
    clearTimeout(this.#timer)
    clearTimeout(this.#silence)
    this.#source?.close()
    this.#source = null
    this.#become(state)
  }

  /**
   * Shows what a text finds.
   *
   * The server has one view for this page. A new address sets its search, and the list goes on from what
   * it holds. One search is sent after the other, so that the newest one comes last.
   */
  search(text) {
    // A letter of two units may be cut.
    this.#search = text.trim().slice(0, 100).toWellFormed()
    if (this.state === "live") this.#catchUp()
  }

  #address() {
    const values = { page: this.#page, search: this.#asked, after: this.list.token }
    const given = Object.entries(values).filter(([, value]) => value)
    return this.path + (this.path.includes("?") ? "&" : "?")
      + given.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&")
  }

  #opened() {
    this.connections += 1
    this.#become("live")
    this.#catchUp()
  }

  /** The server has said something: it may be silent again. */
  #heard() {
    clearTimeout(this.#silence)
    if (!this.#source) return
    this.#silence = setTimeout(() => this.#lose(), this.patience)
  }

  /** Gives the connection up, and tries again after a while. */
  #lose(state = "waiting") {
    this.close(state)
    if (state === "refused") return
    this.#timer = setTimeout(() => this.open(state), this.#pauses.next())
  }

  #catchUp() {
    if (this.#search !== this.#asked) this.open()
  }

  #take(text) {
    let delta, change
    try {
      delta = JSON.parse(text)
      change = this.list.apply(delta)
    } catch (error) {
      // A `Misfit`, or a text that is no delta. What is shown stays until the whole state has come.
      console.warn(`A delta was refused: ${error.message}.`)
      const isFirst = !this.#isDoubtful
      this.#isDoubtful = true
      if (isFirst) return this.startOver()
      // A server that does not mend it is not asked all the time.
      this.list.token = null
      return this.#lose()
    }
    if (!this.#isDoubtful) this.#pauses.reset()
    if (change.isReset) this.resets += 1
    const isAnimated = !change.isReset && (delta.presentation ?? "animated") === "animated"
    this.dispatchEvent(new CustomEvent("change", { detail: { isAnimated, ...change } }))
  }

  async #failed() {
    const source = this.#source
    if (source?.readyState === EventSource.CONNECTING) {
      // The browser tries again by itself, with the address that is open: it may be an old search.
      if (this.#search !== this.#asked) this.open()
      else this.#become("waiting")
      return
    }
    // The server answered, and gave no stream. `EventSource` does not say what it gave.
    const status = await fetch(this.#address(), { method: "HEAD" }).then(
      (response) => response.status, () => 0)
    if (source !== this.#source) return
    if (status === 204) return this.close("ended")
    this.#lose({ 401: "refused", 403: "refused", 503: "full" }[status])
  }

  #become(state) {
    if (this.state === state) return
    this.state = state
    this.dispatchEvent(new CustomEvent("state"))
  }
}

"""##
}
