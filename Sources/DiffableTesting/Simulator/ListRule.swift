public import Diffable

/// A rule of list views for updates.
///
/// “Old” is what the view showed before an update, “new” what its data source returns after it.
/// Deletes, reloads and the sources of moves are old positions; inserts, reconfigures and the
/// targets of moves are new ones. Breaking one of the rules C1 to C8 crashes or corrupts any view.
/// The rules S1 to S14 are for updates whose counts are correct but that are known to break real
/// views. Q1 is for views that take one operation at a time.
public enum ListRule: String, CaseIterable, Hashable, Codable, Sendable {
  /// Every index exists in its space.
  case c1 = "C1"
  /// An old position appears once among deletes and the sources of moves.
  case c2 = "C2"
  /// A new position appears once among inserts and the targets of moves.
  case c3 = "C3"
  /// The new section count is the old one plus inserted, minus deleted sections.
  case c4 = "C4"
  /// Moved sections are at their targets, all others fill the rest in their old order.
  ///
  /// The identifiers match.
  case c5 = "C5"
  /// The new item count of a surviving section matches the inserts, deletes and moves.
  ///
  /// It is the old count plus what is inserted and moved in, minus what is deleted and moved out.
  case c6 = "C6"
  /// Moved items are at their targets, all others fill the rest in their old order.
  ///
  /// The rest are items of the same section, and the identifiers match.
  case c7 = "C7"
  /// The data before the update is what the view shows, and the data after it is as announced.
  case c8 = "C8"
  /// No item operation in a section that is deleted.
  case s1 = "S1"
  /// No item operation in a section that is inserted.
  case s2 = "S2"
  /// No item operation together with a section move.
  case s3 = "S3"
  /// No reload together with a delete, an insert or a move.
  case s4 = "S4"
  /// No reload of an element that is deleted or moved.
  case s5 = "S5"
  /// No section move that changes nothing.
  case s6 = "S6"
  /// No operation twice.
  case s7 = "S7"
  /// No update of a view that has no window or was never laid out; only resets.
  case s8 = "S8"
  /// Before an update the data has as many sections as the view shows.
  case s9 = "S9"
  /// A reloaded section keeps its items.
  case s10 = "S10"
  /// No section insert or delete together with an item move.
  case s11 = "S11"
  /// No more changes than the profile's limit; above it, a reset.
  case s12 = "S12"
  /// No update and no reset during another update.
  case s13 = "S13"
  /// No move together with a delete or an insert.
  case s14 = "S14"
  /// One operation on adjacent elements, or one splice, at a time.
  case q1 = "Q1"
}

extension ListRule {
  /// The rules of the views of a profile.
  public static func rules(of profile: ListProfile) -> Set<ListRule> {
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

extension ListRule: CustomStringConvertible {
  /// The short name, such as `C5`.
  public var description: String { rawValue }
}
