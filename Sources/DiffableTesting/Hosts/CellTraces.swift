import Diffable

/// Traces the cells of a list through a stage, by identifiers.
///
/// The simulator has checked that the positions of the stage agree with the identifiers. Only
/// changes of views are not visible in the identifiers: an item that is deleted and inserted, or
/// reloaded, gets another cell.
struct CellTraces {
  private let difference: SnapshotDifference
  private let old: Snapshot<AnyItemID, AnyItemID>
  private let new: Snapshot<AnyItemID, AnyItemID>
  private let newSections: [AnyItemID: Int]
  private var newPaths: [AnyItemID: ItemPath] = [:]
  /// The new paths of renamed items, by old path.
  private var renamedPaths: [ItemPath: ItemPath] = [:]

  init(
    _ difference: SnapshotDifference, from old: Snapshot<AnyItemID, AnyItemID>,
    to new: Snapshot<AnyItemID, AnyItemID>
  ) {
    self.difference = difference
    self.old = old
    self.new = new
    newSections = Dictionary(
      new.sectionIdentifiers.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    for section in 0..<new.numberOfSections {
      for (item, identifier) in new.items(inSectionAt: section).enumerated() {
        newPaths[identifier] = ItemPath(section: section, item: item)
      }
    }
    guard !difference.itemRenames.isEmpty else { return }
    let positions = PositionMap(difference)
    for path in difference.itemRenames {
      if let origin = positions.oldPath(forNew: path) { renamedPaths[origin] = path }
    }
  }

  /// The new path of the cell at an old path; `nil` if it is released.
  func newPath(of path: ItemPath) -> ItemPath? {
    guard let identifier = old.itemIdentifier(for: path),
      let target = newPaths[identifier] ?? renamedPaths[path],
      !difference.itemDeletes.contains(path), !difference.itemReloads.contains(path),
      !difference.itemInserts.contains(target), newSection(of: path.section) != nil,
      !difference.sectionInserts.contains(target.section)
    else { return nil }
    return target
  }

  /// The new index of the views of an old section; `nil` if they are released.
  func newSection(of section: Int) -> Int? {
    guard !difference.sectionDeletes.contains(section),
      !difference.sectionReloads.contains(section)
    else { return nil }
    return old.sectionIdentifier(at: section).flatMap { newSections[$0] }
  }
}
