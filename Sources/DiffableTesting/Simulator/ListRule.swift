import Diffable

/// A rule of list views for updates.
///
/// “Old” is what the view showed before an update, “new” what its data source returns after it.
/// Deletes, reloads and the sources of moves are old positions; inserts, reconfigures and the
/// targets of moves are new ones. Breaking one of the rules C1 to C8 crashes or corrupts any view.
/// The rules S1 to S14 are for updates whose counts are correct but that are known to break real
/// views. Q1 is for views that take one operation at a time.
public struct ListRule: Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// The short name, such as `C5`.
  public let code: String
  /// What the rule asks of an update, in words.
  public let text: String

  private init(_ code: String, _ text: String) {
    (self.code, self.text) = (code, text)
  }

  /// The rule as `C5`.
  public var description: String { code }

  /// All rules, in the order of their names.
  public static let allCases: [ListRule] = [
    .c1, .c2, .c3, .c4, .c5, .c6, .c7, .c8, .s1, .s2, .s3, .s4,
    .s5, .s6, .s7, .s8, .s9, .s10, .s11, .s12, .s13, .s14, .q1,
  ]

  package static let c1 = ListRule("C1", "Every index exists in its space.")
  package static let c2 = ListRule(
    "C2",
    "An old position appears once among deletes and the sources of moves.")
  package static let c3 = ListRule(
    "C3",
    "A new position appears once among inserts and the targets of moves.")
  package static let c4 = ListRule(
    "C4",
    "The new section count is the old one plus inserted, minus deleted sections.")
  package static let c5 = ListRule(
    "C5",
    "Moved sections are at their targets, all others fill the rest in their old "
      + "order. The identifiers match.")
  package static let c6 = ListRule(
    "C6",
    "The new item count of a surviving section matches the inserts, deletes and "
      + "moves. It is the old count plus what is inserted and moved in, minus what is deleted and moved out."
  )
  package static let c7 = ListRule(
    "C7",
    "Moved items are at their targets, all others fill the rest in their old order. "
      + "The rest are items of the same section, and the identifiers match.")
  package static let c8 = ListRule(
    "C8",
    "The data before the update is what the view shows, and the data after it is as announced.")
  package static let s1 = ListRule("S1", "No item operation in a section that is deleted.")
  package static let s2 = ListRule("S2", "No item operation in a section that is inserted.")
  package static let s3 = ListRule("S3", "No item operation together with a section move.")
  package static let s4 = ListRule("S4", "No reload together with a delete, an insert or a move.")
  package static let s5 = ListRule("S5", "No reload of an element that is deleted or moved.")
  package static let s6 = ListRule("S6", "No section move that changes nothing.")
  package static let s7 = ListRule("S7", "No operation twice.")
  package static let s8 = ListRule(
    "S8",
    "No update of a view that has no window or was never laid out; only resets.")
  package static let s9 = ListRule(
    "S9",
    "Before an update the data has as many sections as the view shows.")
  package static let s10 = ListRule("S10", "A reloaded section keeps its items.")
  package static let s11 = ListRule(
    "S11",
    "No section insert or delete together with an item move.")
  package static let s12 = ListRule(
    "S12",
    "No more changes than the profile's limit; above it, a reset.")
  package static let s13 = ListRule("S13", "No update and no reset during another update.")
  package static let s14 = ListRule("S14", "No move together with a delete or an insert.")
  package static let q1 = ListRule(
    "Q1",
    "One operation on adjacent elements, or one splice, at a time.")
}

extension ListRule {
  /// The rules of the views of a profile.
  static func rules(of profile: ListProfile) -> Set<ListRule> {
    let all = Set(allCases).subtracting([.q1])
    return switch profile.kind {
    case .tableView: all.subtracting([.s14])
    case .collectionView: all.subtracting([.s11, .s14])
    case .movesApart: all.subtracting([.s11])
    case .sequential:
      all.subtracting([.s1, .s2, .s3, .s4, .s5, .s11, .s14]).union([.q1])
    }
  }
}
