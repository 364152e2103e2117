/// Which elements of two snapshots are the same, in positions alone.
///
/// Matching looks at identifiers and writes this down; everything after it works on integers.
package struct Correspondence: Sendable {
  /// The matched sections, in ascending order of `new`.
  var sections: [MatchedRun] = []
  /// The number of sections on either side.
  var sectionCounts = (old: 0, new: 0)
  /// Matched sections whose items differ in any way, in ascending order of `new`.
  var changed: [ChangedSection] = []
  /// Items that leave one surviving section for another.
  var migrations: [Migration] = []

  /// A section that is on both sides, and what its own items match.
  struct ChangedSection: Sendable {
    var old: Int
    var new: Int
    var counts: (old: Int, new: Int)
    /// The items that are in this section on both sides, in ascending order of `new`.
    var runs: [MatchedRun] = []
  }

  /// Neighbouring items that leave a surviving section and are neighbours in another.
  struct Migration: Sendable {
    var from: ItemPath
    var to: ItemPath
    var count: Int
  }
}
