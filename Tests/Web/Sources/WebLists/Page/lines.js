// How the rows of the long lists look.

import { counted } from "./elements.js"

/** Whether the page is as narrow as that of a phone, and whether fingers touch it; page.css asks the same. */
const [isNarrow, isTouched] = ["(max-width: 40rem)", "(max-width: 40rem), (pointer: coarse)"]
  .map((query) => matchMedia(query))
/** How high a row must be at least for a finger to hit it, in pixels. */
const finger = 44

const text = (className, content) => {
  const span = document.createElement("span")
  span.className = className
  span.textContent = content
  return span
}

/** Bytes in the unit that keeps four digits before the point. */
function bytes(count) {
  if (!count) return "–"
  const units = ["KiB", "MiB", "GiB", "TiB"]
  let size = count / 1024
  while (size >= 1024 && units.length > 1) {
    size /= 1024
    units.shift()
  }
  return `${size.toFixed(1)} ${units[0]}`
}

const percent = (permille) => (permille / 10).toFixed(1)

const total = ({ processes, permille, memory }) => `${processes} · ${percent(permille)} % · ${bytes(memory)}`

/** A name for a user that may be none. */
const user = (id) => id || "all users"

export const processes = {
  name: "Processes",
  className: "processes",
  // On a phone the command has two lines of its own.
  get rowHeight() { return isNarrow.matches ? 72 : isTouched.matches ? finger : 28 },
  columns: ["PID", "User", "CPU %", "Memory", "Command"],
  heading: (id, summary) => [
    text("title", user(id)),
    text("note", summary ? total(summary.sums) : ""),
  ],
  fill(row, line, section) {
    row.ariaLabel = `${line.command}, process ${line.number} of ${user(section)}, `
      + `${percent(line.processor)} percent, ${bytes(line.memory)}`
    const busy = text("number", percent(line.processor))
    busy.style.setProperty("--share", `${Math.min(100, line.processor / 10)}%`)
    busy.classList.toggle("busy", line.processor > 0)
    row.replaceChildren(
      text("number quiet", line.number), text("quiet", user(section)), busy,
      text("number", bytes(line.memory)), text("command", line.command))
  },
  /** What is shown in full of the row that has the focus. */
  detail: (line) => line.command,
}

export const rows = {
  name: "Rows",
  className: "numbered",
  get rowHeight() { return isTouched.matches ? finger : 32 },
  // The places of the rows that are shown: a search, or another writer, leaves other ones in a section.
  heading(_, __, count, first) {
    const [from, to] = [first, first + count - 1].map((number) => number.toLocaleString("en"))
    return [
      text("title", count === 1 ? `Row ${from}` : `Rows ${from} to ${to}`), text("note", counted(count, "row")),
    ]
  },
  fill(row, model) {
    const changes = model.count ? `changed ${counted(model.count, "time")}` : ""
    row.ariaLabel = changes ? `${model.title}, ${changes}` : model.title
    row.replaceChildren(
      text("number quiet", model.id), text("command", model.title),
      text("note", changes))
  },
}
