// What a page in TypeScript does, and what the compiler must refuse.
import { EditedList } from "../../../Sources/DiffableWeb/Modules/edits.js"
import { Follower, newID, Pauses } from "../../../Sources/DiffableWeb/Modules/follow.js"
import { FollowedList, format, key, Misfit } from "../../../Sources/DiffableWeb/Modules/list.js"
import { openList, Proposer, Store } from "../../../Sources/DiffableWeb/Modules/propose.js"
import { LongList } from "../../../Sources/DiffableWeb/Modules/rows.js"

interface Card { id: string, title: string, isDone: boolean }

const follower = new Follower<Card>("lists/board", new Pauses(500, 10_000))
const proposer = new Proposer(follower)
const edits: EditedList<Card> = proposer.edits
const list: FollowedList<Card, string, string> = follower.list

follower.addEventListener("change", ({ detail }) => {
  const keys: string[] = [...detail.moved, ...detail.inserted]
  const names: string[] = detail.renamed.map((rename) => rename.old + rename.new)
  console.log(detail.isAnimated, detail.isReset, keys, names)
})
follower.addEventListener("state", () => {
  if (follower.state === "ended") follower.close()
  // @ts-expect-error There is no such state.
  if (follower.state === "gone") follower.close()
})
edits.addEventListener("refused", ({ detail }) => console.log(detail.edit.item, detail.reason ?? detail.code))
edits.addEventListener("conflict", ({ detail }) => console.log(detail.contradiction))
// @ts-expect-error It tells of nothing else.
edits.addEventListener("refusal", () => {})

const opened = openList<Card>("lists/board", "board")
opened.edits.addEventListener("change", () => console.log(opened.follower.state, opened.proposer.isKept))
opened.close()

// The model of a list may not be there; a row is filled with one that is.
const rows = new LongList(document.body, {
  label: "Cards", rowHeight: () => 28, model: (id) => list.model(id),
  fill: (row, model) => { row.textContent = model.title },
})
follower.addEventListener("change", ({ detail }) => rows.follow(list.sections, detail))
edits.addEventListener("change", ({ detail }) => rows.follow(edits.sections, detail))
// @ts-expect-error A card has no colour.
new LongList<Card>(document.body, { label: "", rowHeight: () => 1, model: edits.model, fill: (row, { colour }) => {} })

export async function run() {
  const store = await Store.open("board")
  proposer.keep(store)
  follower.open()
  const id = newID()
  edits.add({ item: id, model: { id, title: "Buy bread", isDone: false }, place: { section: "a", after: null } })
  edits.add({ item: id, fields: { isDone: true } })
  edits.add({ item: id, place: { section: "b", after: "c" } })
  edits.add({ item: id, deletes: true })
  // @ts-expect-error A card has no colour.
  edits.add({ item: id, fields: { colour: "red" } })
  // @ts-expect-error A place names a section.
  edits.add({ item: id, place: { after: null } })
  // @ts-expect-error Identifiers of this list are texts.
  edits.add({ item: 1, deletes: true })
  if (edits.canUndo) console.log(edits.undo()?.item.length, proposer.isFailing, proposer.isKept)
  for (const section of edits.sections) {
    for (const item of section.items) console.log(key(item), edits.model(item)?.title, edits.isPending(item))
  }
  try {
    const numbers = new FollowedList<{ id: number }, number, number>()
    numbers.apply({ format, target: "t", counts: { sections: 0, items: 0 } })
    // @ts-expect-error Identifiers of this list are numbers.
    numbers.model("1")
  } catch (error) {
    if (!(error instanceof Misfit)) throw error
  }
  console.log(list.count, list.token, list.model("a")?.isDone)
  proposer.close()
  store.close()
}
