/// Which elements of two snapshots are the same, in positions alone.
///
/// Matching looks at identifiers and writes this down; everything after it works on integers.
struct Correspondence: Sendable {
  /// The matched sections, in ascending order of `new`.
  var sections: [MatchedRun] = []
  /// Old indices of sections that are gone, ascending.
  var sectionDeletes: [Int] = []
  /// New indices of sections that have come, ascending.
  var sectionInserts: [Int] = []
  /// Matched sections whose items differ in any way, in ascending order of `new`.
  var changed: [ChangedSection] = []
  /// Matched sections whose outlines differ, or that are an outline on one side only, in ascending
  /// order of `new`.
  var outlines: [ChangedOutline] = []
  /// New paths of items that are on both sides and have got, lost, expanded or collapsed children.
  var disclosures: [ItemPath] = []
  /// New paths of items that have got another identifier.
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

  /// A section that is on both sides, and what became of its items.
  struct ChangedSection: Sendable {
    var old: Int
    var new: Int
    /// The items that are in this section on both sides, in ascending order of `new`.
    var runs: [MatchedRun] = []
    /// Which of them keep their place, where that is known already; `nil` where all do or it is not.
    var stays: [Bool]?
    /// Old indices of items that are in no matched section any longer, as ascending ranges.
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

    /// Puts what was found later in its place.
    mutating func sort() {
      runs = runs.sortedIfNeeded { $0.new < $1.new }
      inserts = inserts.sortedIfNeeded { $0.lowerBound < $1.lowerBound }
    }
  }
}

extension Correspondence {
  /// A section that is on both sides, and what became of the rows of its outline.
  ///
  /// A row that has moved is among those that have left their place and those that have come.
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
  /// Adds an index that lies behind all others.
  mutating func appendIndex(_ index: Int) {
    appendRange(index..<index + 1)
  }

  /// Adds a range that lies behind all others.
  mutating func appendRange(_ range: Range<Int>) {
    if let last = indices.last, self[last].upperBound == range.lowerBound {
      self[last] = self[last].lowerBound..<range.upperBound
    } else {
      append(range)
    }
  }
}
