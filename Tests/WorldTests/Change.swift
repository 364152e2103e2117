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

extension Change {
  /// What pages have made of a list.
  init(byPagesFrom before: PlainList, to after: PlainList) {
    let (old, new) = (before.souls, after.souls)
    let isOrdered =
      before.order(without: old.subtracting(new)) == after.order(without: new.subtracting(old))
    self.init(
      before: before, after: after, isNamed: false, own: Marks(),
      // Of two rows that change places, any may be the one that has moved.
      placed: isOrdered ? [] : old.union(new))
  }
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
    case .replace(_, let shelf), .outline(_, let shelf, _):
      // In which order rows were put that are given as a whole, nobody can tell.
      guard let section = state.section(of: shelf) else { return }
      placed.formUnion(state.sections[section].rows.map(\.soul))
    // Those that others have deleted are new ones then.
    case .upsert(let cards, _): placed.formUnion(cards.compactMap { state.row($0.id)?.soul })
    case .grow(_, let id):
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
