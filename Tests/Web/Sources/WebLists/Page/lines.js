// How the rows of the long lists look.

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

/** A name for a user that may be none. */
const user = (id) => id || "all users"

export const processes = {
  name: "Processes",
  className: "processes",
  rowHeight: 28,
  columns: ["PID", "User", "CPU %", "Memory", "Command"],
  heading: (id, sums) => [
    text("title", user(id)),
    text("note", sums ? `${sums.processes} · ${percent(sums.processor)} % · ${bytes(sums.memory)}` : ""),
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
}

export const rows = {
  name: "Rows",
  className: "numbered",
  rowHeight: 32,
  heading: (id, _, count) => [text("title", id), text("note", count.toLocaleString("en"))],
  fill(row, model) {
    row.ariaLabel = model.count ? `${model.title}, changed ${model.count} times` : model.title
    row.replaceChildren(
      text("number quiet", model.id), text("command", model.title),
      text("note", model.count ? `changed ${model.count} ×` : ""))
  },
}
