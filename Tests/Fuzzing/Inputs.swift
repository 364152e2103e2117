import Diffable

/// A model of an item.
struct Row: Identifiable, Codable, Equatable, Sendable {
  let id: Int
  var text: Int
}

/// A section with a model.
struct Header: ModelledSection, Codable, CustomStringConvertible {
  typealias SectionModel = Int
  let description: String

  init(from decoder: any Decoder) throws {
    description = try decoder.singleValueContainer().decode(String.self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// A difference that is put together by the public interface, from numbers that nothing has
/// checked.
struct HandmadeDifference: Decodable {
  fileprivate struct Place: Codable, Hashable {
    let section: Int
    let item: Int
    var path: ItemPath { ItemPath(section: section, item: item) }
  }

  private enum Key: String, CodingKey {
    case sectionDeletes, sectionInserts, sectionMoves, sectionReloads, sectionReconfigures
    case itemDeletes, itemInserts, itemMoves, itemReloads, itemReconfigures, itemRenames
    case outlineChanges
  }

  private(set) var value = SnapshotDifference()

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    func numbers(_ key: Key, _ count: Int) throws -> [[Int]] {
      try (container.decodeIfPresent([[Int]].self, forKey: key) ?? []).filter { numbers in
        numbers.count == count && numbers[count - 2] < numbers[count - 1]
      }
    }
    func indices(_ key: Key) throws -> RangeSet<Int> {
      try RangeSet(numbers(key, 2).map { $0[0]..<$0[1] })
    }
    func paths(_ key: Key) throws -> ItemPathSet {
      var paths = ItemPathSet()
      for triple in try numbers(key, 3) {
        paths.append(section: triple[0], items: triple[1]..<triple[2])
      }
      return paths
    }
    value.sectionDeletes = try indices(.sectionDeletes)
    value.sectionInserts = try indices(.sectionInserts)
    value.sectionMoves =
      try container.decodeIfPresent([Move<Int>].self, forKey: .sectionMoves) ?? []
    value.sectionReloads = try indices(.sectionReloads)
    value.sectionReconfigures = try indices(.sectionReconfigures)
    value.itemDeletes = try paths(.itemDeletes)
    value.itemInserts = try paths(.itemInserts)
    value.itemMoves =
      try (container.decodeIfPresent([Move<Place>].self, forKey: .itemMoves) ?? [])
      .map { Move(from: $0.from.path, to: $0.to.path) }
    value.itemReloads = try paths(.itemReloads)
    value.itemReconfigures = try paths(.itemReconfigures)
    value.itemRenames = try paths(.itemRenames)
    value.outlineChanges = try indices(.outlineChanges)
  }
}

/// A batch with such a difference.
struct HandmadeBatch: Decodable {
  let difference: HandmadeDifference
  let previousSnapshot: Snapshot<String, Int>
  let snapshot: Snapshot<String, Int>
}
