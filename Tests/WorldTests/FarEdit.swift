import Diffable

/// A change that somebody has made who did not know what others did meanwhile.
struct FarEdit {
  let name: String
  /// What they saw before and after.
  let before: PlainList
  let after: PlainList
  let marks: Marks
  /// The rows that they have put somewhere, by souls.
  let placed: Set<Int>
  /// The models that they have given to rows, by souls; they may have deleted the row in the same edit.
  var written: [Int: [Card]] = [:]
  /// The sections to which it gives all their rows, whatever others have put there: it runs again on that.
  var given: Set<Shelf> = []
  /// Whether it puts a section somewhere, which may be where it was.
  var movesSections = false
  /// What it takes back, if it does.
  var reversed: [FarEdit] = []
  /// What its owner had when it was sent: it is what it made of that.
  var sent: [PlainList] = []
  /// Rows that others have given names of which nobody has told the user, by souls.
  var strange: Set<Int> = []

  /// The rows that it has put somewhere, or whose row above it may be another one.
  var touched: Set<Int> {
    reversed.reduce(Set(TakingBack.touched(before, after)).union(placed)) { $0.union($1.touched) }
  }

  /// Whether it would be there still if all that it has seen is.
  func makesSense(in list: PlainList) -> Bool {
    strange.isEmpty && (sent + [list]).allSatisfy(isSeen)
  }

  /// Whether a list has all that it has seen.
  private func isSeen(_ list: PlainList) -> Bool {
    // Beside a row that is hidden, nothing is inserted.
    Set(before.rows.map(\.soul)).isSubset(of: list.rows.map(\.soul))
      && Set(before.shownRows.map(\.soul)).isSubset(of: list.shownRows.map(\.soul))
      && before.sections.map(\.shelf) == list.sections.map(\.shelf)
      && zip(before.sections, list.sections).allSatisfy { $0.isTree == $1.isTree }
      && !flattensOtherwise(list) && !givesOtherwise(list)
  }

  /// Whether it gives rows to sections that have other ones by now: these go.
  private func givesOtherwise(_ list: PlainList) -> Bool {
    zip(before.sections, list.sections).contains {
      given.contains($0.shelf) && $0.rows.map(\.soul) != $1.rows.map(\.soul)
    }
  }

  /// Whether it makes lists of trees in which other rows are hidden by now: these go.
  private func flattensOtherwise(_ list: PlainList) -> Bool {
    let flat = Set(after.sections.filter { !$0.isTree }.map(\.shelf))
    return zip(before.sections, list.sections).contains {
      $0.isTree && flat.contains($0.shelf) && $0.rows.map(\.soul) != $1.rows.map(\.soul)
    }
  }
}

/// What must come of changes on top of a list that others have changed as well.
struct FarEditLaw {
  /// Oldest first.
  let edits: [FarEdit]
  /// What the list is without them.
  let live: PlainList
  /// What the owner has shown before: an edit that is taken back brings back what was there by then.
  var former: [PlainList] = []

  func judge(_ result: PlainList) throws {
    guard let first = edits.first, let last = edits.last else {
      return try promise(
        result.text == live.text,
        "shows\n  \(result.text)\nwith no change on\n  \(live.text)")
    }
    // What is taken back is what the owner had, once the owner has said so.
    let isMadeHere = edits.flatMap(\.sent).allSatisfy { $0 == live }
    if isMadeHere, edits.allSatisfy(\.reversed.isEmpty), first.before == live,
      zip(edits, edits.dropFirst()).allSatisfy({ $0.after == $1.before })
    {
      // Nobody else has changed anything.
      return try promise(
        result.text == last.after.text,
        "shows\n  \(result.text)\ninstead of\n  \(last.after.text)")
    }
    try judgePlaces(result)
    try judgeNames(result)
    let makesSense = edits.allSatisfy { $0.reversed.isEmpty && $0.makesSense(in: live) }
    for row in result.rows { try judge(row, makesSense) }
    guard makesSense else { return }
    let shown = Set(result.rows.map(\.soul))
    for edit in edits {
      let inserted = Set(edit.after.rows.map(\.soul)).subtracting(edit.before.rows.map(\.soul))
      let deleted = edits.reduce(into: Set<Int>()) {
        $0.formUnion(Set($1.before.rows.map(\.soul)).subtracting($1.after.rows.map(\.soul)))
      }
      try promise(
        inserted.subtracting(deleted).isSubset(of: shown),
        "does not show what \(edit.name) has inserted:\n  \(result.text)")
    }
  }

  /// A row is called as without the edits, unless one of them renames it.
  private func judgeNames(_ result: PlainList) throws {
    let all = edits + edits.flatMap(\.reversed)
    guard all.allSatisfy(\.strange.isEmpty) else { return }
    let renamed = all.reduce(into: Set<Int>()) {
      $0.formUnion($1.before.souls(calledOtherwiseIn: $1.after))
    }
    let others = result.souls(calledOtherwiseIn: live).subtracting(renamed)
    try promise(
      others.isEmpty, "calls \(others) otherwise:\n  \(result.text)\non\n  \(live.text)")
  }

  /// Whatever nobody has touched is where it is without the edits.
  private func judgePlaces(_ result: PlainList) throws {
    // What was below a row where the edit was sent goes along with it.
    let lists = [live, result] + edits.flatMap(\.sent)
    let nested = lists.flatMap(\.sections).filter(\.isTree).flatMap(\.rows).map(\.soul)
    var touched = edits.reduce(into: Set(nested)) { $0.formUnion($1.touched) }
    // Somebody who was not told of a name may have made a second row of one, and taken it for the first.
    if edits.contains(where: { !$0.strange.isEmpty }) {
      touched.formUnion(result.souls.symmetricDifference(live.souls))
    }
    let given = (edits + edits.flatMap(\.reversed)).reduce(into: Set()) { $0.formUnion($1.given) }
    for section in live.sections + result.sections where given.contains(section.shelf) {
      touched.formUnion(section.rows.map(\.soul))
    }
    // What others have put into a section that an edit deletes stays there.
    let gone = Set(edits.flatMap { $0.before.shelves.subtracting($0.after.shelves) })
    let seen = Set(edits.flatMap { $0.before.souls.union($0.after.souls) })
    // Who makes a tree of a list that is one by then, takes out what it hides.
    func isAlike(_ section: Section) -> Bool {
      edits.allSatisfy { edit in
        let former = edit.before.section(of: section.shelf)
        return former.map { edit.before.sections[$0].isTree == section.isTree } ?? true
      }
    }
    for section in live.sections where gone.contains(section.shelf) && isAlike(section) {
      let kept = Set(section.rows.map(\.soul)).subtracting(seen)
      let here = result.section(of: section.shelf).map { result.sections[$0].rows } ?? []
      try promise(
        kept.isSubset(of: here.map(\.soul)),
        "deletes what others have put into \(section.shelf):\n  \(result.text)\non\n  \(live.text)")
    }
    // A section that an edit moves takes along what others have put into it.
    let movesSections = (edits + edits.flatMap(\.reversed)).contains {
      $0.movesSections || $0.before.sections.map(\.shelf) != $0.after.sections.map(\.shelf)
    }
    func order(_ list: PlainList) -> [[Int]] {
      var list = list
      if movesSections { list.sections.sort { $0.shelf < $1.shelf } }
      return list.order(without: touched)
    }
    try promise(
      order(result) == order(live),
      "moves rows of others:\n  \(result.text)\non\n  \(live.text)")
  }

  /// A row shows what others have made of it, or what the edits have.
  private func judge(_ row: Row, _ makesSense: Bool) throws {
    func fields(_ card: Card) -> [Int] { [card.rank, card.text] }
    var versions = (edits + edits.flatMap(\.reversed)).filter {
      guard let before = $0.before.card(row.soul), let after = $0.after.card(row.soul) else {
        return true
      }
      // Who writes what was there already, writes it over what others have written meanwhile.
      return fields(before) != fields(after) || $0.written[row.soul] != nil
    }
    let (shown, here) = (fields(row.card), live.card(row.soul).map(fields))
    guard let first = versions.first else {
      return try promise(shown == here, "shows \(row.card) instead of \(here as Any)")
    }
    if makesSense, let here, first.before.card(row.soul).map(fields) == here {
      // A row goes with the row above it, which may be another one by now.
      let wasBelow = versions.contains { edit in
        edit.after.card(row.soul) == nil
          && edit.before.rows.contains { $0.soul == row.soul && $0.level > 0 }
      }
      // So does a row with its section, unless others have taken it out of there.
      let hasLeft = versions.contains { edit in
        guard let shelf = edit.before.shelf(of: row.soul) else { return false }
        return !edit.after.shelves.contains(shelf) && live.shelf(of: row.soul) != shelf
      }
      versions.removeAll { $0.after.card(row.soul) == nil }
      if versions.isEmpty, wasBelow || hasLeft, shown == here { return }
      let mine = versions.last.flatMap { $0.after.card(row.soul) }.map(fields)
      return try promise(
        shown == mine, "shows \(row.card) instead of the user's \(mine as Any)")
    }
    let known = versions.flatMap { [$0.before.card(row.soul), $0.after.card(row.soul)] }
    var all = known.compactMap { $0.map(fields) } + (here.map { [$0] } ?? [])
    all += versions.flatMap { $0.written[row.soul] ?? [] }.map(fields)
    if edits.contains(where: { !$0.reversed.isEmpty }) {
      all += former.compactMap { $0.card(row.soul).map(fields) }
    }
    // Somebody who was not told of a name may have made a second row of one.
    if all.isEmpty, edits.contains(where: { !$0.strange.isEmpty }) { return }
    for (field, value) in shown.enumerated() {
      try promise(
        all.contains { $0[field] == value }, "shows \(row.card), which nobody has made: \(all)")
    }
  }
}

extension PlainList {
  /// Notes the model that a deed has given to a row, by its soul.
  func note(_ deed: Deed, _ written: inout [Int: [Card]]) {
    switch deed {
    case .set(let card), .rename(_, let card):
      note(card, &written)
    case .upsert(let cards, _): for card in cards { note(card, &written) }
    case .replace(let sprouts, _): for sprout in sprouts { note(sprout.card, &written) }
    default: break
    }
  }

  private func note(_ card: Card, _ written: inout [Int: [Card]]) {
    if let row = row(card.id) { written[row.soul, default: []].append(card) }
  }
}

extension PlainList {
  /// The rows that another list does not have, or has otherwise: they show something else, or are elsewhere.
  func souls(changedSince other: PlainList) -> Set<Int> {
    let (kept, places, views) = (souls.intersection(other.souls), other.parents, other.views)
    let former = other.order(without: other.souls.subtracting(kept)).flatMap(\.self)
    let latter = order(without: souls.subtracting(kept)).flatMap(\.self)
    // Of two rows that change places, any may be the one that has moved.
    let moved = kept.subtracting(
      Self.longestCommon(former, latter)
        .intersection(Self.longestCommon(former.reversed(), latter.reversed())))
    return moved.union(self.views.filter { views[$0.key] != $0.value }.keys)
      .union(parents.filter { places[$0.key] != $0.value }.keys)
  }

  func shelf(of soul: Int) -> Shelf? {
    sections.first { $0.rows.contains { $0.soul == soul } }?.shelf
  }

  /// The shelf of each row, and the soul of the row above it in a tree.
  private var parents: [Int: [Int]] {
    var parents: [Int: [Int]] = [:]
    for section in sections {
      var path: [Int] = []
      for row in section.rows {
        path.removeLast(max(0, path.count - row.level))
        parents[row.soul] = [section.shelf.number] + path.suffix(1)
        path.append(row.soul)
      }
    }
    return parents
  }
}

extension Marks {
  /// Adds what a delta says that leads from one state to another.
  mutating func follow(
    _ all: [(marks: Marks, list: PlainList)], from old: PlainList, to new: PlainList
  ) {
    guard !isUnknown else { return }
    var previous = old
    for (marks, list) in all {
      // A row that comes is shown anyway, and need not be marked besides.
      formUnion(marks.demanding(marks.all.intersection(previous.souls)))
      demand(in: list)
      previous = list
    }
    // A delta does not say whether a row that shows something else was marked besides.
    let (before, after) = (old.views, new.views)
    reconfigured = reconfigured.filter { before[$0] == after[$0] }
  }

  /// Rows that are gone may be shown once more if something brings them back.
  mutating func demand(in list: PlainList) {
    let gone = all.subtracting(list.souls)
    hinted.formUnion(gone)
    again.formUnion(gone.intersection(reloaded))
    reloaded.subtract(gone)
    reconfigured.subtract(gone)
  }

  /// Rows of a change may be shown once more when it is made again, or is no longer one of the user's.
  mutating func allow(_ edit: FarEdit?) {
    guard let edit else { return }
    for edit in [edit] + edit.reversed {
      hinted.formUnion(edit.touched)
      hinted.formUnion(edit.before.views.filter { edit.after.views[$0.key] != $0.value }.keys)
      allow(edit.marks.settled(in: edit.after))
    }
  }

  /// What was marked may be shown once more.
  mutating func allow(_ marks: Marks) {
    hinted.formUnion(marks.all)
    again.formUnion(marks.reloaded)
    hasSections = hasSections || marks.hasSections
  }
}
