import Testing

@testable import DiffableEngine

/// A difference is asked whether it fits two lists before anything is made of it.
@Suite("Every position of a difference is looked for where it is meant to be")
struct MisplacedPositionTests {
  private typealias Kind = (name: String, isOld: Bool, make: (ItemPath) -> SnapshotDifference)

  private static func value(_ set: (inout SnapshotDifference) -> Void) -> SnapshotDifference {
    var value = SnapshotDifference()
    set(&value)
    return value
  }

  private static func indices(_ path: ItemPath) -> RangeSet<Int> {
    RangeSet(path.section..<path.section + 1)
  }

  private static var sections: [Kind] {
    [
      ("sectionDeletes", true, { path in value { $0.sectionDeletes = indices(path) } }),
      ("sectionReloads", true, { path in value { $0.sectionReloads = indices(path) } }),
      (
        "sectionMoves", true,
        { path in value { $0.sectionMoves = [Move(from: path.section, to: 0)] } }
      ),
      (
        "sectionMoves", false,
        { path in value { $0.sectionMoves = [Move(from: 0, to: path.section)] } }
      ),
      ("sectionInserts", false, { path in value { $0.sectionInserts = indices(path) } }),
      ("sectionReconfigures", false, { path in value { $0.sectionReconfigures = indices(path) } }),
      ("outlineChanges", false, { path in value { $0.outlineChanges = indices(path) } }),
    ]
  }

  private static var items: [Kind] {
    [
      ("itemDeletes", true, { path in value { $0.itemDeletes = [path] } }),
      ("itemReloads", true, { path in value { $0.itemReloads = [path] } }),
      (
        "itemMoves", true,
        { path in
          value { $0.itemMoves = [Move(from: path, to: ItemPath(section: 0, item: 0))] }
        }
      ),
      (
        "itemMoves", false,
        { path in
          value { $0.itemMoves = [Move(from: ItemPath(section: 0, item: 0), to: path)] }
        }
      ),
      ("itemInserts", false, { path in value { $0.itemInserts = [path] } }),
      ("itemReconfigures", false, { path in value { $0.itemReconfigures = [path] } }),
      ("itemRenames", false, { path in value { $0.itemRenames = [path] } }),
    ]
  }

  @Test func `Each kind of change, at each place in sight`() {
    // A list has no items in a section that it does not have.
    func extent(_ counts: [Int]) -> SnapshotDifference.Extent {
      .init(sections: counts.count) { counts.indices.contains($0) ? counts[$0] : 0 }
    }
    let (old, new) = (extent([2, 1]), extent([1, 0, 2]))
    for (kinds, areItems) in [(Self.sections, false), (Self.items, true)] {
      for (name, isOld, make) in kinds {
        for place in 0..<20 {
          let path = ItemPath(section: place / 4, item: place % 4)
          let list = isOld ? old : new
          let isThere =
            areItems ? path.item < list.items(path.section) : path.section < list.sections
          let value = make(path)
          let faults = (value.misplacedOldPosition(in: old), value.misplacedNewPosition(in: new))
          let comment: Comment = "\(name) at \(path)"
          #expect((isOld ? faults.1 : faults.0) == nil, comment)
          let fault = isOld ? faults.0 : faults.1
          #expect((fault == nil) == isThere, comment)
          #expect(fault?.hasPrefix("\(name) names ") ?? true, comment)
          let isInsert = name.hasSuffix("Inserts")
          #expect(value.misplacedInsert(in: new) == (isInsert ? fault : nil), comment)
        }
      }
    }
  }
}
