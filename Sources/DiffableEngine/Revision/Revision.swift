/// The number of a state of a data source.
///
/// Revision 0 is the empty source. Every apply or update that changes something makes the next one.
///
/// A number has no meaning for another source, or for the same source after a restart. So a
/// revision is not `Codable`. Outside the process use a ``ResumeToken``, which a source makes with
/// ``ListSource/token(for:)`` and reads with ``ListSource/revision(for:)``.
public struct Revision: Hashable, Comparable, Sendable {
  /// The number, from 0.
  public let number: Int

  /// Creates the revision with a number.
  public init(_ number: Int) {
    self.number = number
  }

  /// The revision of every source before its first change.
  public static let empty = Revision(0)

  /// The revision that the next change makes.
  ///
  /// Nothing follows the largest number: no source counts so far, but a log or a program may name it.
  package var next: Revision { Revision(number == .max ? .max : number + 1) }
  package var previous: Revision { Revision(number == .min ? .min : number - 1) }

  /// Orders revisions by age, oldest first.
  public static func < (left: Revision, right: Revision) -> Bool {
    left.number < right.number
  }
}

extension Revision: CustomStringConvertible {
  /// The number with an `r` before it, such as `r12`.
  public var description: String { "r\(number)" }
}

/// How a writer wants a change to be shown.
///
/// A batch that spans several revisions carries the strongest of their presentations: `.reset` is
/// stronger than `.inPlace`, then come `.animated` and `.immediate`.
public enum Presentation: String, Hashable, Codable, Sendable {
  /// Show the change at once, without animation.
  case immediate
  /// Animate the change.
  case animated
  /// Show the change at once, and leave the rows on the screen in place.
  ///
  /// Otherwise a list that is scrolled to its beginning shows what is inserted there.
  case inPlace
  /// Show the whole state from scratch: there is no difference.
  case reset
}

extension Presentation: Comparable {
  /// Orders presentations by strength, weakest first.
  public static func < (left: Presentation, right: Presentation) -> Bool {
    left.strength < right.strength
  }

  private var strength: Int {
    switch self {
    case .immediate: 0
    case .animated: 1
    case .inPlace: 2
    case .reset: 3
    }
  }
}

extension Presentation {
  /// Whether so many marks have piled up that showing the list from scratch is the smaller change.
  ///
  /// If there are more marks than the list has items, most of them are on items that no longer exist.
  /// No marks have to be kept for a reset. A dropped duplicate counts as a mark.
  ///
  /// - Parameter weight: The approximate number of items.
  package static func isReset(byMarks count: Int, weight: Int) -> Bool { count > max(1024, weight) }

  /// Whether so many renames have piled up that most of them are of items that were not there at first.
  ///
  /// Renames are kept in a reset: no state says what a row was called before.
  ///
  /// - Parameter weight: The approximate number of items at first.
  package static func areTooMany(renames count: Int, weight: Int) -> Bool {
    count / 2 > max(1024, weight)
  }
}

/// The state of a revision, without the types of its identifiers.
///
/// Only the source that owns a hub puts states into it, so the types are those of the source.
package final class RevisionState: Sendable {
  package let snapshot: UntypedSnapshot
  /// What changed since the revision before, models and marks included; `nil` in revision 0.
  package let difference: SnapshotDifference?
  /// The digest of the shared log up to the revision.
  package let digest: HistoryDigest

  package init(
    snapshot: consuming UntypedSnapshot, difference: consuming SnapshotDifference?,
    digest: HistoryDigest = .none
  ) {
    self.snapshot = snapshot
    self.difference = difference
    self.digest = digest
  }

  /// The same state, made by the entries of a log.
  package func at(_ digest: HistoryDigest) -> RevisionState {
    RevisionState(snapshot: snapshot, difference: difference, digest: digest)
  }

  /// The state of revision 0.
  package static func empty(_ kernels: SnapshotKernels) -> RevisionState {
    RevisionState(snapshot: UntypedSnapshot(kernels), difference: nil)
  }

  /// The approximate number of identifiers that it holds.
  package var weight: Int { snapshot.weight }

  /// The approximate number of bytes that only this state holds after a change of it.
  ///
  /// An edit replaces the leaves that it touches and the nodes above them. What identifiers and models
  /// hold elsewhere does not count.
  ///
  /// - Complexity: O(r + m + d · log s) for r ranges of paths, m moves, and d deleted of s sections.
  package func bytes(replacedBy difference: SnapshotDifference) -> Int {
    let shape = TreeShape.items
    let deleted = difference.sectionDeletes.ranges.joined()
      .reduce(into: (sections: 0, items: 0)) { sum, section in
        sum.sections += 1
        sum.items += snapshot.itemCount(ofSectionAt: section)
      }
    let touched =
      [
        difference.itemDeletes, difference.itemInserts, difference.itemReloads,
        difference.itemReconfigures,
      ].reduce(2 * difference.itemMoves.count + difference.outlineChanges.elementCount) {
        $0 + $1.ranges.count + $1.count / shape.builtLeafCount
      }
    let leaves = min(
      touched + deleted.items / shape.builtLeafCount + deleted.sections,
      snapshot.itemCount / shape.builtLeafCount + snapshot.order.count)
    let stride =
      snapshot.kernels.items.stride + MemoryLayout<UInt32>.stride
      + (snapshot.kernels.models?.stride ?? 0)
    // Above a leaf are a part of an inner node and a record of a section; the rest is the revision.
    let leafBytes = min(shape.builtLeafCount, snapshot.itemCount) * stride + 300
    return 1_500 + leaves * leafBytes + difference.itemMoves.count
      * MemoryLayout<Move<ItemPath>>.stride
  }
}

/// A number that stands for all entries of a shared log up to a revision, in their order.
///
/// Each entry changes it, by the random name of its write. So two participants that have the same
/// digest at a revision have the same list there, and servers that have lost entries and accepted
/// others in their place give another digest from there on.
///
/// It protects from accidents, not from attacks: two histories that differ have the same digest with a
/// probability of 2⁻⁶⁴. The digest after an entry is `m(m(d + γ ^ h) ^ l)` with wrapping arithmetic.
/// d is the digest before it, h and l are the two halves of its name, γ is 0x9E3779B97F4A7C15, and m
/// is ``Swift/UInt64/mixed``.
package struct HistoryDigest: Hashable, Sendable {
  let bits: UInt64

  /// The digest of an empty log, and of sources without a log.
  package static let none = HistoryDigest(bits: 0)

  /// The digest after one more entry.
  func appending(_ high: UInt64, _ low: UInt64) -> HistoryDigest {
    let bits = (((bits &+ 0x9E37_79B9_7F4A_7C15) ^ high).mixed ^ low).mixed
    // 0 means that there is none.
    return HistoryDigest(bits: max(bits, 1))
  }
}

/// A revision of a source, and the history that has led to it.
package struct HistoryPlace: Hashable, Sendable {
  package internal(set) var revision: Revision
  package internal(set) var digest: HistoryDigest

  package init(revision: Revision, digest: HistoryDigest) {
    (self.revision, self.digest) = (revision, digest)
  }

  package static let start = HistoryPlace(revision: .empty, digest: .none)
}

/// The notes of a revision, without the types of its identifiers.
package protocol RevisionNotes: AnyObject, Sendable {
  /// How many marks and dropped duplicates there are, renames apart.
  var markCount: Int { get }
  /// How many renames there are, or placed rows.
  var rowNoteCount: Int { get }
  /// The approximate number of identifiers that they hold.
  var weight: Int { get }
  /// The same without marks, placed rows and dropped duplicates; renames stay.
  var withoutMarks: any RevisionNotes { get }
  /// The same without the renames and placed rows that are not in a state.
  func withoutRowNotes(ofRowsMissingIn state: UntypedSnapshot) -> any RevisionNotes
  /// The same without the oldest names of accepted proposals, if there are very many.
  var withoutOldProposals: any RevisionNotes { get }
  /// These notes together with those of later revisions.
  func joined(with later: some Sequence<any RevisionNotes>) -> any RevisionNotes
}

/// What a subscriber receives: the way from the state that it shows to a newer one.
///
/// Nothing is computed yet. Like everything in the subscription machine, it refers to states
/// without reading them.
package struct Transition<State: Sendable, Notes: Sendable>: Sendable {
  /// A revision together with its state.
  package struct Stop: Sendable {
    package let revision: Revision
    package let state: State
  }

  /// The state that the subscriber shows; `nil` if it has nothing to show yet.
  package let base: Stop?
  package let target: Stop
  /// The strongest presentation among the revisions passed over.
  package let presentation: Presentation
  /// The notes of the revisions passed over, oldest first.
  package let notes: [Notes]
  /// Whether the target is to be shown from scratch.
  ///
  /// Stored: other modules would call a function that is not specialised.
  package let isReset: Bool

  package init(base: Stop?, target: Stop, presentation: Presentation, notes: [Notes]) {
    self.base = base
    self.target = target
    self.presentation = presentation
    self.notes = notes
    isReset = base == nil || presentation == .reset
  }
}

/// What a hub sends to a subscriber.
package typealias HubTransition = Transition<RevisionState, any RevisionNotes>

/// What happened between two revisions: the part of a batch besides the two states.
package struct Findings: Sendable {
  package let difference: SnapshotDifference
  package let notes: (any RevisionNotes)?

  package init(difference: SnapshotDifference, notes: (any RevisionNotes)?) {
    (self.difference, self.notes) = (difference, notes)
  }
}

extension HubTransition {
  /// What the writer of the only revision has found; `nil` if there are several.
  package var storedFindings: Findings? {
    guard notes.count < 2 else { return nil }
    if isReset { return Findings(difference: SnapshotDifference(), notes: notes.first) }
    guard base?.revision.next == target.revision, let difference = target.state.difference else {
      return nil
    }
    return Findings(difference: difference, notes: notes.first)
  }
}

/// A change of a list, which can be reverted.
///
/// A write that has changed something returns it, and `nextUndo` names the one that undo reverts next.
public struct UndoableChange: Hashable, Sendable {
  /// The revision that made it.
  public let revision: Revision
  /// Its name, for a menu.
  public let name: String?
  /// The epoch of its source: the same number names another change in another source.
  package let epoch: Epoch

  package init(revision: Revision, name: String?, of epoch: Epoch) {
    (self.revision, self.name, self.epoch) = (revision, name, epoch)
  }
}

extension UndoableChange: CustomStringConvertible {
  /// The revision, and the name if there is one, such as `r12 “Rename”`.
  public var description: String { "\(revision)" + (name.map { " “\($0)”" } ?? "") }
}

/// The changes that undo and redo work on.
public enum UndoScope: Hashable, Sendable {
  /// All changes of all writers.
  case everything
  /// Changes that have a name; unnamed changes stay.
  case named
  /// Changes that have a name and were made by an author; what others have changed stays.
  ///
  /// A source that was made with `authored(by:)` makes them.
  case author(String)

  /// The scopes that do not depend on who has made a change.
  package static let ofAll: [UndoScope] = [.everything, .named]
}
