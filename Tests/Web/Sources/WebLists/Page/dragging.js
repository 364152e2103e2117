// Cards of a board under the pointer, from column to column.

import { made } from "./elements.js"

/** How far the pointer goes before a card is dragged, in pixels. */
const threshold = 6

export class Dragging {
  #panel
  #drop
  #marker = made("li", "marker")

  /** `drop` gets the item and its new place. */
  constructor(panel, drop) {
    ;[this.#panel, this.#drop] = [panel, drop]
    this.#marker.ariaHidden = "true"
  }

  /** A pointer is pressed on a card: a finger drags its grip, and scrolls elsewhere. */
  begin(event, card, item) {
    if (event.button !== 0 || event.target.closest("button, input")) return
    if (event.pointerType !== "mouse" && !event.target.closest(".grip")) return
    const start = { x: event.clientX, y: event.clientY }
    const ends = new AbortController()
    const options = { signal: ends.signal }
    let image = null
    let place = null
    const finish = (isDropped) => {
      ends.abort()
      image?.remove()
      this.#marker.remove()
      card.classList.remove("dragged")
      if (isDropped && place) this.#drop(item, place)
    }
    addEventListener("pointermove", (move) => {
      const [x, y] = [move.clientX - start.x, move.clientY - start.y]
      if (!image && Math.hypot(x, y) < threshold) return
      if (!image) {
        image = this.#image(card)
        card.classList.add("dragged")
        card.focus({ preventScroll: true })
      }
      image.style.translate = `${x}px ${y}px`
      place = this.#place(move, card)
    }, options)
    addEventListener("pointerup", () => finish(image !== null), options)
    addEventListener("pointercancel", () => finish(false), options)
    addEventListener("keydown", (press) => {
      if (press.key === "Escape") finish(false)
    }, options)
  }

  /** What follows the pointer. */
  #image(card) {
    const { left, top, width } = card.getBoundingClientRect()
    const image = card.cloneNode(true)
    image.removeAttribute("data-key")
    image.ariaHidden = "true"
    image.classList.add("flying")
    Object.assign(image.style, { left: `${left}px`, top: `${top}px`, width: `${width}px` })
    this.#panel.append(image)
    return image
  }

  /** Where the card would be dropped, as an edit has it; shows it. */
  #place({ clientX, clientY }, dragged) {
    const lanes = [...this.#panel.querySelectorAll(".lane")]
    const holds = (lane) => {
      const { left, right, top, bottom } = lane.getBoundingClientRect()
      return left <= clientX && clientX < right && top <= clientY && clientY < bottom
    }
    const lane = lanes.find(holds)
    if (!lane) {
      this.#marker.remove()
      return null
    }
    const cards = [...lane.querySelectorAll("[data-key]:not(.refused)")].filter((card) => card !== dragged)
    const middle = (card) => {
      const { top, height } = card.getBoundingClientRect()
      return top + height / 2
    }
    const next = cards.findIndex((card) => middle(card) > clientY)
    const index = next < 0 ? cards.length : next
    lane.querySelector(".cards").insertBefore(this.#marker, cards[index] ?? null)
    return { section: JSON.parse(lane.dataset.section), after: cards[index - 1]?.dataset.key ?? null }
  }
}
