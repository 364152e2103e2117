// A long list with titles, headings, and the text of a row in full.

import { LongList } from "./diffable/rows.js"
import { made } from "./elements.js"
import * as motion from "./motion.js"

export class RowsView {
  #list
  #kind
  #rows
  #detail = made("div", "detail")

  constructor(panel, list, kind) {
    ;[this.#list, this.#kind] = [list, kind]
    panel.className = kind.className
    if (kind.columns) {
      const titles = made("div", "titles line")
      titles.ariaHidden = "true"
      titles.append(...kind.columns.map((name) => made("div", "", name)))
      panel.append(titles)
    }
    const scroller = made("div", "scroller")
    // A row has its whole text as a label.
    this.#detail.ariaHidden = "true"
    this.#detail.hidden = true
    panel.append(scroller, this.#detail)
    this.#rows = new LongList(scroller, {
      label: kind.name, roles: ["listbox", "option"], motion,
      rowHeight: () => kind.rowHeight, headingHeight: 36,
      model: (id) => list.model(id),
      fill(row, model, section) {
        row.style.minHeight = `${kind.rowHeight}px`
        kind.fill(row, model, section)
      },
      fillHeading(heading, { id, first, count }) {
        heading.replaceChildren(...kind.heading(id, list.sectionModel(id), count, first + 1))
      },
      focused: (model) => this.#showDetail(model),
    })
  }

  /** What there was to draw, for tests. */
  get work() { return this.#rows.work }

  /** Takes a change, which is drawn with the next frame. */
  follow(change) { this.#rows.follow(this.#list.sections, change) }

  /** Shows in full what the row with the focus may have no room for. */
  #showDetail(model) {
    const text = (model && this.#kind.detail?.(model)) ?? ""
    if (this.#detail.textContent !== text) this.#detail.textContent = text
    this.#detail.hidden = !text
  }
}
