import Diffable

/// How a section that stays has changed its outline.
enum OutlineDelta<ItemID: Hashable & Sendable>: Sendable, Equatable {
  /// The section is a flat list now.
  case list
  /// The section was a flat list.
  case outline(Outline<ItemID>)
  /// Some rows of the outline were replaced: ascending, with at least one row in between.
  case splices([RowSplice<ItemID>])
}

/// Rows that replace other rows.
struct RowSplice<ItemID: Hashable & Sendable>: Sendable, Equatable {
  typealias Row = OutlineRow<ItemID>

  /// The rows that are deleted, among all rows of the old outline, including hidden rows.
  let old: Range<Int>
  /// The rows that are inserted.
  let rows: [Row]

  static func == (left: RowSplice, right: RowSplice) -> Bool {
    left.old == right.old && left.rows.count == right.rows.count
      && zip(left.rows, right.rows).allSatisfy { $0.isIdentical(to: $1) }
  }
}

extension OutlineDelta {
  var elementCount: Int {
    switch self {
    case .list: 0
    case .outline(let outline): outline.count
    case .splices(let splices): splices.reduce(0) { $0 + 1 + $1.rows.count }
    }
  }

  /// Finds the difference.
  ///
  /// - Complexity: O(d · log n) for d leaves of n rows that differ; O(n) if a list becomes an
  ///   outline.
  init(from old: Outline<ItemID>?, to new: Outline<ItemID>?) {
    self =
      switch (old, new) {
      case (_, nil): .list
      case (nil, let new?): .outline(new)
      case (let old?, let new?): .splices(new.splices(from: old))
      }
  }
}

extension OutlineDelta: Codable where ItemID: Codable {
  private enum Key: String, CodingKey {
    case list
    case outline
    case splices
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    if let outline = try container.decodeIfPresent(Outline<ItemID>.self, forKey: .outline) {
      self = .outline(outline)
    } else if let splices = try container.decodeIfPresent(
      [RowSplice<ItemID>].self, forKey: .splices)
    {
      guard zip(splices, splices.dropFirst()).allSatisfy({ $0.old.upperBound < $1.old.lowerBound })
      else {
        throw DecodingError.dataCorruptedError(
          forKey: .splices, in: container,
          debugDescription: "Splices must ascend, with an unchanged row between two of them.")
      }
      self = .splices(splices)
    } else if try container.decodeIfPresent(Bool.self, forKey: .list) == true {
      self = .list
    } else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: container.codingPath,
          debugDescription: "There is neither an outline, nor splices, nor a list."))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .list: try container.encode(true, forKey: .list)
    case .outline(let outline): try container.encode(outline, forKey: .outline)
    case .splices(let splices): try container.encode(splices, forKey: .splices)
    }
  }
}

extension RowSplice: Codable where ItemID: Codable {
  private enum Key: String, CodingKey {
    case at
    case remove
    case rows
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let start = try container.decode(Int.self, forKey: .at)
    let count = try container.decodeIfPresent(Int.self, forKey: .remove) ?? 0
    let positions = ItemPath.indices
    guard positions.contains(start), count >= 0, count <= positions.upperBound - start else {
      throw DecodingError.dataCorruptedError(
        forKey: .at, in: container, debugDescription: "No outline has \(count) rows at \(start).")
    }
    old = start..<start + count
    rows = try container.decodeIfPresent([Row].self, forKey: .rows) ?? []
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(old.lowerBound, forKey: .at)
    if !old.isEmpty { try container.encode(old.count, forKey: .remove) }
    if !rows.isEmpty { try container.encode(rows, forKey: .rows) }
  }
}

/// How the rows of an outline differ from the rows of an older outline.
extension Outline {
  /// The rows that differ from an older outline in item, level or flags.
  ///
  /// - Complexity: O(d · log n) for d leaves of n rows that differ.
  func splices(from old: Outline) -> [RowSplice<ItemID>] {
    let comparison = TreeComparison(old: old.rows.base, new: rows.base, keepingPairs: true)
    var splices: [RowSplice<ItemID>] = []
    // The splices cover everything up to here.
    var (oldEnd, newEnd) = (0, 0)
    func splice(_ old: Range<Int>, _ new: Range<Int>) {
      guard !old.isEmpty || !new.isEmpty else { return }
      var (old, rows) = (old, Array(copiedRows(new, deeper: 0)))
      if let last = splices.last, last.old.upperBound == old.lowerBound {
        old = last.old.lowerBound..<old.upperBound
        rows = last.rows + rows
        splices.removeLast()
      }
      splices.append(RowSplice(old: old, rows: rows))
    }
    func keep(old: Int, new: Int, count: Int) {
      splice(oldEnd..<old, newEnd..<new)
      (oldEnd, newEnd) = (old + count, new + count)
    }
    var pairs = comparison.comparedPairs[...]
    for run in comparison.matching.runs where run.old >= oldEnd && run.new >= newEnd {
      // Compared rows of a run may have other flags; shared rows have the same flags.
      var start = 0
      while let pair = pairs.first, pair.new < run.new + run.count {
        pairs.removeFirst()
        let offset = pair.new - run.new
        guard offset >= start, !old.rows[pair.old].isIdentical(to: rows[pair.new]) else { continue }
        if offset > start {
          keep(old: run.old + start, new: run.new + start, count: offset - start)
        }
        start = offset + 1
      }
      if start < run.count {
        keep(old: run.old + start, new: run.new + start, count: run.count - start)
      }
    }
    splice(oldEnd..<old.count, newEnd..<count)
    return splices
  }
}

/// How an outline follows splices.
extension Outline {
  /// An outline after some splices, and the other rows that they have shown or hidden.
  struct Spliced {
    let outline: Outline
    let splices: [RowSplice<ItemID>]
    /// Rows outside splices that have become visible or hidden, by new and old position.
    let toggled: [(new: Int, old: Int)]
  }

  /// Replaces rows.
  ///
  /// - Throws: ``DeltaError`` if there are no such rows, a row would be too deep for the row before
  ///   it, or an item would appear twice.
  /// - Complexity: O((k + m) · log n) for k of n rows that are deleted or inserted, and m more that
  ///   become visible or hidden.
  func applying(_ splices: [RowSplice<ItemID>]) throws(DeltaError) -> Spliced {
    guard splices.last.map({ $0.old.upperBound <= count }) ?? true else {
      throw .misfit(reason: "there are splices after row \(count), the end of an outline")
    }
    try checkUnique(splices)
    for splice in splices { try checkLevels(splice) }
    var result = self
    let toggled = result.replaceRows(
      splices.map { RowReplacement($0.old, with: ContiguousArray($0.rows)) })
    var new: [Range<Int>] = []
    var shift = 0
    for splice in splices {
      let start = splice.old.lowerBound + shift
      new.append(start..<start + splice.rows.count)
      shift += splice.rows.count - splice.old.count
    }
    return Spliced(
      outline: result, splices: splices, toggled: Self.oldPositions(of: toggled, splices, new))
  }

  /// Checks that each row is at most one level below the one before it.
  private func checkLevels(_ splice: RowSplice<ItemID>) throws(DeltaError) {
    var level = splice.old.lowerBound > 0 ? rows[splice.old.lowerBound - 1].level : -1
    func check(_ row: OutlineRow<ItemID>) throws(DeltaError) {
      guard row.level <= level + 1 else {
        throw .misfit(
          reason: "the row of “\(row.id)” is more than one level below the one before it")
      }
      level = row.level
    }
    for row in splice.rows { try check(row) }
    if splice.old.upperBound < count { try check(rows[splice.old.upperBound]) }
  }

  private func checkUnique(_ splices: [RowSplice<ItemID>]) throws(DeltaError) {
    var items = IdentifierSet<ItemID>()
    for row in splices.lazy.flatMap(\.rows) {
      let isThere = position(of: row.id).map { position in
        !splices.contains(oldRow: position)
      }
      guard items.insert(row.id), isThere != true else {
        throw .duplicateItems([AnyItemID(row.id)])
      }
    }
  }

  /// The old positions of rows outside splices, by new position.
  private static func oldPositions(
    of positions: [Int], _ splices: [RowSplice<ItemID>], _ new: [Range<Int>]
  ) -> [(new: Int, old: Int)] {
    var result: [(new: Int, old: Int)] = []
    for position in positions {
      let next = new.partitioningIndex { $0.lowerBound > position }
      guard next > 0 else { continue }
      let (place, splice) = (new[next - 1], splices[next - 1])
      guard position >= place.upperBound else { continue }
      result.append((position, position - place.upperBound + splice.old.upperBound))
    }
    return result
  }
}

extension Array {
  /// Whether splices delete or replace a row of the old outline.
  ///
  /// - Complexity: O(log k) for k splices.
  func contains<ItemID>(oldRow position: Int) -> Bool where Element == RowSplice<ItemID> {
    let next = partitioningIndex { $0.old.lowerBound > position }
    return next > 0 && self[next - 1].old.contains(position)
  }
}
