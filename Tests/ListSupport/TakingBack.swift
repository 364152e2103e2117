/// What must come of taking changes of a model back, worked out field by field for one row.
///
/// It knows nothing of snapshots and merges: a model is two numbers.
package struct TakingBack: Sendable {
  /// A model of two fields.
  package struct Fields: Hashable, Sendable {
    package var first = 0
    package var second = 0

    package init(first: Int = 0, second: Int = 0) { (self.first, self.second) = (first, second) }
  }

  /// What is written to the model.
  package enum Deed: CaseIterable, Sendable {
    /// The writer who will take back sets the first field.
    case mine
    /// Another writer sets the same field.
    case theirs
    /// Another writer sets the other field.
    case theirsElsewhere
  }

  /// Every sequence of up to some number of deeds.
  package static func sequences(upTo length: Int) -> [[Deed]] {
    everySequence(of: Deed.allCases, upTo: length)
  }

  /// A change, with the versions before and after it.
  package struct Change: Sendable {
    package let before: Fields
    package let after: Fields
    /// Undo takes them back together.
    fileprivate var parts: [Change] = []
  }

  package let hasHandler: Bool
  package private(set) var live = Fields()
  /// The writer's changes that undo takes back, and the undone ones that redo makes again, newest last.
  private var stacks: (undo: [Change], redo: [Change]) = ([], [])
  /// The writer's changes, in their order.
  package private(set) var mine: [Change] = []
  /// What another writer has set last, while nobody has set it since.
  package private(set) var theirs: (first: Int?, second: Int?) = (nil, nil)

  package init(hasHandler: Bool) { self.hasHandler = hasHandler }

  /// The version that a deed makes; its number makes it different from all others.
  package func made(by deed: Deed, number: Int) -> Fields {
    var made = live
    switch deed {
    case .mine, .theirs: made.first = number
    case .theirsElsewhere: made.second = number
    }
    return made
  }

  package mutating func make(_ deed: Deed, number: Int) {
    let made = made(by: deed, number: number)
    if deed == .mine {
      let change = Change(before: live, after: made)
      mine.append(change)
      stacks.undo.append(change)
      stacks.redo = []
      theirs.first = nil
    } else if deed == .theirs {
      theirs.first = number
    } else {
      theirs.second = number
    }
    live = made
  }

  /// Makes one step of all changes of the writer.
  package mutating func group() {
    guard
      let (first, last) = stacks.undo.first.flatMap({ first in
        stacks.undo.last.map { (first, $0) }
      })
    else { return }
    stacks.undo = [Change(before: first.before, after: last.after, parts: stacks.undo)]
  }

  /// Takes back the newest step.
  ///
  /// - Returns: Whether something contradicts it; `nil` if there is nothing to take back.
  package mutating func undo() -> Bool? {
    guard let step = stacks.undo.popLast() else { return nil }
    let before = live
    let contradicts = take(back: step.parts.isEmpty ? [step] : step.parts)
    if live != before { stacks.redo.append(Change(before: before, after: live)) }
    return contradicts
  }

  package mutating func redo() -> Bool? {
    guard let step = stacks.redo.popLast() else { return nil }
    let before = live
    let contradicts = take(back: [step])
    if live != before { stacks.undo.append(Change(before: before, after: live)) }
    return contradicts
  }

  /// Takes back changes, newest first: what they wrote, as far as it still shows.
  package mutating func take(back changes: [Change]) -> Bool {
    var contradicts = false
    for change in changes.reversed() where change.before != change.after {
      if live == change.after {
        live = change.before
      } else if live == change.before {
        continue
      } else if hasHandler {
        live = Self.merged(base: change.after, theirs: change.before, mine: live)
      } else {
        contradicts = true
      }
    }
    return contradicts
  }

  /// What a handler makes of two versions, field by field.
  package static func merged(base: Fields, theirs: Fields, mine: Fields) -> Fields {
    Fields(
      first: mine.first == base.first ? theirs.first : mine.first,
      second: mine.second == base.second ? theirs.second : mine.second)
  }
}
