// What the modules use of a browser, so that a test says when things happen: a clock, streams, answers, storage, locks.

const realImmediate = setImmediate

/** Lets everything run that waits for nothing but its turn. */
export const settled = () => new Promise((resolve) => realImmediate(() => realImmediate(resolve)))

/** A clock that stands still until a test moves it. */
class Clock {
  now = 0
  #timers = new Map()
  #count = 0

  set(act, time = 0) {
    this.#count += 1
    this.#timers.set(this.#count, { at: this.now + time, act })
    return this.#count
  }

  clear(timer) { this.#timers.delete(timer) }

  get isIdle() { return this.#timers.size === 0 }

  /** Goes on by a time in milliseconds; what is due on the way happens in its order. */
  async advance(time) {
    const end = this.now + time
    await settled()
    for (;;) {
      const due = [...this.#timers].filter(([, { at }]) => at <= end).sort(([, one], [, other]) => one.at - other.at)
      if (!due.length) break
      const [[timer, { at, act }]] = due
      this.#timers.delete(timer)
      this.now = Math.max(this.now, at)
      act()
      await settled()
    }
    this.now = Math.max(this.now, end)
  }
}

/** A stream of the server, in place of `EventSource`. */
class Stream extends EventTarget {
  static CONNECTING = 0
  static OPEN = 1
  static CLOSED = 2
  readyState = 0

  constructor(browser, address) {
    super()
    this.address = address
    this.query = new URL(address, "http://localhost/").searchParams
    browser.streams.push(this)
  }

  close() { this.readyState = 2 }

  open() {
    this.readyState = 1
    this.dispatchEvent(new Event("open"))
  }

  send(name, value) {
    if (this.readyState !== 1) return
    const data = typeof value === "string" ? value : JSON.stringify(value ?? null)
    this.dispatchEvent(Object.assign(new Event(name), { data }))
  }

  /** The response has ended, and the browser tries again by itself. */
  cut() {
    this.readyState = 0
    this.dispatchEvent(new Event("error"))
  }

  /** The server has answered with something else than a stream. */
  fail() {
    this.readyState = 2
    this.dispatchEvent(new Event("error"))
  }
}

export class Storage {
  #values = new Map()
  /** How many characters there is room for. */
  room = Infinity
  isForbidden = false

  #check() { if (this.isForbidden) throw new DOMException("not allowed", "SecurityError") }

  get length() { this.#check(); return this.#values.size }
  key(index) { this.#check(); return [...this.#values.keys()][index] ?? null }
  getItem(key) { this.#check(); return this.#values.get(key) ?? null }
  removeItem(key) { this.#check(); this.#values.delete(key) }

  setItem(key, value) {
    this.#check()
    const others = [...this.#values].filter(([other]) => other !== key)
    const length = others.reduce((sum, [key, value]) => sum + key.length + value.length, 0)
    if (length + key.length + value.length > this.room) throw new DOMException("full", "QuotaExceededError")
    this.#values.set(key, value)
  }
}

/** Web Locks, for pages that all are in this process. */
class Locks {
  #held = new Set()
  #waiting = []

  request(name, { ifAvailable, signal }, act) {
    return new Promise((resolve, reject) => {
      const take = () => {
        this.#held.add(name)
        Promise.resolve(act({ name })).then((value) => {
          this.#held.delete(name)
          const index = this.#waiting.findIndex((one) => one.name === name)
          if (index >= 0) this.#waiting.splice(index, 1)[0].take()
          resolve(value)
        })
      }
      if (!this.#held.has(name)) return take()
      if (ifAvailable) return Promise.resolve(act(null)).then(resolve)
      const entry = { name, take }
      this.#waiting.push(entry)
      signal?.addEventListener("abort", () => {
        this.#waiting = this.#waiting.filter((one) => one !== entry)
        reject(signal.reason)
      })
    })
  }
}

/** Messages between pages, each delivered in a turn of its own. */
class Channel {
  static #all = new Set()
  onmessage = null

  constructor(name) {
    this.name = name
    Channel.#all.add(this)
  }

  postMessage(data) {
    for (const other of Channel.#all) {
      if (other === this || other.name !== this.name) continue
      queueMicrotask(() => { if (Channel.#all.has(other)) other.onmessage?.({ data }) })
    }
  }

  close() { Channel.#all.delete(this) }
}

/** The browser of one test; pages of several tabs take turns in it. */
export class Browser {
  clock = new Clock()
  streams = []
  /** What was asked for: method, address, body, and functions that answer. */
  requests = []
  /** What the console was told. */
  warnings = []

  constructor({ hasLocks = true } = {}) {
    const browser = this
    const events = new EventTarget()
    const values = {
      setTimeout: (act, time) => this.clock.set(act, time),
      clearTimeout: (timer) => this.clock.clear(timer),
      EventSource: class extends Stream {
        constructor(address) { super(browser, address) }
      },
      fetch: (address, options) => this.#fetch(address, options),
      localStorage: new Storage(), sessionStorage: new Storage(),
      BroadcastChannel: Channel,
      navigator: hasLocks ? { locks: new Locks() } : {},
      location: new URL("http://localhost/"),
      addEventListener: events.addEventListener.bind(events),
      dispatchEvent: events.dispatchEvent.bind(events),
    }
    for (const [name, value] of Object.entries(values)) {
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
    }
    AbortSignal.timeout = (time) => {
      const controller = new AbortController()
      this.clock.set(() => controller.abort(new DOMException("late", "TimeoutError")), time)
      return controller.signal
    }
    console.warn = (text) => this.warnings.push(text)
    // No jitter: pauses have the length that they are bounded by.
    Math.random = () => 0
  }

  #fetch(address, { method, body, signal } = {}) {
    return new Promise((resolve, reject) => {
      const answer = (status, value) => resolve({
        status, ok: status >= 200 && status < 300,
        json: async () => (typeof value === "string" ? JSON.parse(value) : value),
      })
      this.requests.push({ method, address, body, answer, fail: () => reject(new TypeError("Failed to fetch")) })
      signal?.addEventListener("abort", () => reject(signal.reason))
    })
  }

  get stream() { return this.streams.at(-1) }
  get request() { return this.requests.at(-1) }

  /** Goes on to another tab, or the same one after it was closed and opened again. */
  newTab() { globalThis.sessionStorage = new Storage() }

  /** Another tab with what this one has for its session, as “Duplicate” makes it. */
  duplicateTab() {
    const old = globalThis.sessionStorage
    this.newTab()
    for (let index = 0; index < old.length; index += 1) {
      globalThis.sessionStorage.setItem(old.key(index), old.getItem(old.key(index)))
    }
  }
}

/** A whole state of one section. */
export const reset = (target, ids, section = "s") => ({
  format: 1, target, counts: { sections: 1, items: ids.length }, sections: [{ id: section, items: ids }],
  models: ids.map((id) => ({ id, title: `title of ${id}` })),
})

/** Appends one item. */
export const append = (base, target, count, id, more = {}) => ({
  format: 1, base, target, counts: { sections: 1, items: count + 1 },
  difference: { itemInserts: [[0, count, count + 1]] }, items: [id], models: [{ id, title: `title of ${id}` }], ...more,
})

export const shown = (list) => list.sections.map(({ id, items }) => `${id}:${items.join(" ")}`).join(";")
