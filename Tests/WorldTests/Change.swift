/// What a writer has done.
struct Change {
  let before: PlainList
  let after: PlainList
  let isNamed: Bool
  /// What the writer has marked.
  let own: Marks
  /// The rows that the writer has put somewhere, by souls.
  let placed: Set<Int>

  /// What was marked by that.
  var marks: Marks { own.settled(in: after) }
}

extension Marks {
  /// Notes what a deed marks, and which rows it puts somewhere.
  mutating func note(_ deed: Deed, in state: PlainList, _ placed: inout Set<Int>) {
    switch deed {
    case .moveBefore(let id, _), .moveAfter(let id, _), .moveInto(let id, _),
      .moveToSection(let id, _):
      guard let place = state.place(of: id) else { return }
      let section = state.sections[place.section]
      placed.formUnion(section.rows[section.subtree(at: place.row)].map(\.soul))
    case .mark(let ids, reload: true):
      reloaded.formUnion(ids.compactMap { state.row($0)?.soul })
    case .mark(let ids, reload: false):
      reconfigured.formUnion(ids.compactMap { state.row($0)?.soul })
    case .markSection(let shelf, reload: true):
      hasSections = true
      shelves.insert(shelf)
    default: break
    }
  }
}
