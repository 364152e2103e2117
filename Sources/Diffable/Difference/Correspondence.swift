/// The elements that two snapshots have in common, in positions alone.
///
/// Matching compares identifiers and records the result here. Everything after it works on
/// integers.
struct Correspondence: Sendable {
  /// The matched sections, in ascending order of `new`.
  var sections: [MatchedRun] = []
  /// Old indices of deleted sections, ascending.
  var sectionDeletes: [Int] = []
  /// New indices of inserted sections, ascending.
  var sectionInserts: [Int] = []
  /// Matched sections whose items differ in any way, in ascending order of `new`.
  var changed: [ChangedSection] = []
  /// Matched sections whose outlines differ, in ascending order of `new`.
  ///
  /// Includes sections that are an outline on one side only.
  var outlines: [ChangedOutline] = []
  /// New paths of items on both sides that gained, lost, expanded or collapsed children.
  var disclosures: [ItemPath] = []
  /// New paths of items that received another identifier.
  var renames: [ItemPath] = []
  /// Items that leave one matched section for another.
  var migrations: [Move<ItemPath>] = []

  init(
    sections: [MatchedRun] = [], sectionDeletes: [Int] = [], sectionInserts: [Int] = [],
    changed: [ChangedSection] = [], migrations: [Move<ItemPath>] = []
  ) {
    self.sections = sections
    self.sectionDeletes = sectionDeletes
    self.sectionInserts = sectionInserts
    self.changed = changed
    self.migrations = migrations
  }

  /// A section that is on both sides, and the changes of its items.
  struct ChangedSection: Sendable {
    var old: Int
    var new: Int
    /// The items that are in this section on both sides, in ascending order of `new`.
    var runs: [MatchedRun] = []
    /// Which of the runs keep their place; `nil` if all do or it is not known yet.
    var stays: [Bool]?
    /// Old indices of items that have left all matched sections, as ascending ranges.
    var deletes: [Range<Int>] = []
    /// New indices of items that were in no matched section before, as ascending ranges.
    var inserts: [Range<Int>] = []

    init(
      old: Int, new: Int, runs: [MatchedRun] = [], stays: [Bool]? = nil,
      deletes: [Range<Int>] = [], inserts: [Range<Int>] = []
    ) {
      self.old = old
      self.new = new
      self.runs = runs
      self.stays = stays
      self.deletes = deletes
      self.inserts = inserts
    }

    /// Sorts what was found later into its place.
    mutating func sort() {
      runs = runs.sortedIfNeeded { $0.new < $1.new }
      inserts = inserts.sortedIfNeeded { $0.lowerBound < $1.lowerBound }
    }
  }
}

extension Correspondence {
  /// A section that is on both sides, and the changes of the rows of its outline.
  ///
  /// A moved row is in both lists.
  struct ChangedOutline: Sendable {
    let old: Int
    let new: Int
    /// Positions of rows in the old outline, as ascending ranges.
    let departures: [Range<Int>]
    /// Positions of rows in the new outline, as ascending ranges.
    let arrivals: [Range<Int>]

    init(old: Int, new: Int, departures: [Range<Int>], arrivals: [Range<Int>]) {
      self.old = old
      self.new = new
      self.departures = departures
      self.arrivals = arrivals
    }
  }
}

extension [Range<Int>] {
  /// Adds an index greater than all others.
  mutating func appendIndex(_ index: Int) {
    appendRange(index..<index + 1)
  }

  /// Adds a range after all others.
  mutating func appendRange(_ range: Range<Int>) {
    if let last = indices.last, self[last].upperBound == range.lowerBound {
      self[last] = self[last].lowerBound..<range.upperBound
    } else {
      append(range)
    }
  }
}
