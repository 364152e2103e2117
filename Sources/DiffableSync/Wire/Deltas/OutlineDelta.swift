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
    guard let new else {
      self = .list
      return
    }
    guard let old else {
      self = .outline(new)
      return
    }
    self = .splices(new.splices(from: old))
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
