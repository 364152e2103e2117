// How the cards of a board look.

import { made } from "./elements.js"

/** A card without a model, and its parts; `acts` has a function for each button. */
export function makeCard(acts) {
  const card = made("li", "card")
  card.setAttribute("aria-describedby", "board-help")
  const [line, hit, tick, title, grip] = [
    made("div", "top"), made("label", "hit"), made("input", "tick"), made("span", "title"), made("span", "grip", "⠿"),
  ]
  tick.type = "checkbox"
  // Keys on the card do what its parts do, so it is one stop for the tab key.
  tick.tabIndex = -1
  tick.addEventListener("change", acts.tick)
  title.addEventListener("dblclick", acts.rename)
  grip.ariaHidden = "true"
  // A finger hits what is around the tick as well.
  hit.append(tick)
  line.append(hit, title, grip)

  const [note, reason, tools] = [made("p", "note"), made("span", ""), made("div", "tools")]
  note.append(reason, button("Dismiss", "Dismiss", acts.dismiss))
  tools.append(
    button("✎", "Rename", acts.rename),
    button("←", "Move to the column before", () => acts.step("ArrowLeft")),
    button("↑", "Move up", () => acts.step("ArrowUp")),
    button("↓", "Move down", () => acts.step("ArrowDown")),
    button("→", "Move to the next column", () => acts.step("ArrowRight")),
    button("✕", "Delete", acts.delete))
  card.append(line, note, tools)
  return { card, line, tick, title, note, reason }
}

/** Shows a model, whether it waits to be saved, and why it was refused. */
export function fillCard({ card, tick, title, note, reason }, model, isPending, refusal) {
  tick.checked = model.isDone
  tick.ariaLabel = `${model.title} is done`
  title.textContent = model.title
  card.classList.toggle("done", model.isDone)
  card.classList.toggle("pending", isPending)
  card.classList.toggle("refused", refusal !== undefined)
  note.hidden = refusal === undefined
  reason.textContent = refusal === undefined ? "" : `Not saved: ${refusal}`
  card.ariaLabel = [
    model.title, model.isDone ? "done" : "open", isPending ? "not saved yet" : "", reason.textContent,
  ].filter((part) => part).join(", ")
}

function button(text, label, act) {
  const button = made("button", "", text)
  Object.assign(button, { type: "button", tabIndex: -1, ariaLabel: label, title: label })
  button.addEventListener("click", act)
  return button
}
