// A page that edits a list, and what a server answers.
import { Browser, reset } from "./browser.mjs"
import { Follower } from "../../../Sources/DiffableWeb/Modules/follow.js"
import { Proposer } from "../../../Sources/DiffableWeb/Modules/propose.js"

export const insert = (id, after = null) => ({ item: id, model: { id, title: id }, place: { section: "s", after } })

/** A page whose list is live. */
export function page({ ids = ["a", "b"], browser = new Browser(), store, target = "t1" } = {}) {
  const follower = new Follower("lists/board")
  const proposer = new Proposer(follower)
  const refused = []
  proposer.edits.addEventListener("refused", ({ detail }) => refused.push(detail))
  if (store) proposer.keep(store)
  follower.open()
  browser.stream.open()
  if (ids) browser.stream.send("delta", reset(target, ids))
  return { browser, follower, proposer, edits: proposer.edits, refused }
}

/** Says that a request is accepted, and how to get there, as far as the test knows. */
export const accept = (request, token, delta) => request.answer(200, { answer: "accepted", token, delta })

/** The delta that a proposal which was just sent makes of its base. */
export function made(request, target, count) {
  const { id, base, difference, items, models } = JSON.parse(request.body)
  return { format: 1, base, target, counts: { sections: 1, items: count }, difference, items, models, proposals: [id] }
}
