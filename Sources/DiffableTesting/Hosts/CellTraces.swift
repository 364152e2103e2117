import Diffable

/// What becomes of the cells of a list in a stage, worked out from identifiers.
///
/// The simulator has checked that the positions of the stage say the same. Only what they say of a
/// view cannot be seen in the identifiers: an item that is deleted and inserted gets another cell,
/// and so does one that is reloaded.
struct CellTraces {
  private let difference: SnapshotDifference
  private let old: Snapshot<AnyItemID, AnyItemID>
  private let new: Snapshot<AnyItemID, AnyItemID>
  private let newSections: [AnyItemID: Int]
  private var newPaths: [AnyItemID: ItemPath] = [:]
  /// The items that have another identifier, by old path.
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

  /// Where the cell of an old path is afterwards; `nil` if it goes.
  func newPath(of path: ItemPath) -> ItemPath? {
    guard let identifier = old.itemIdentifier(for: path),
      let target = newPaths[identifier] ?? renamedPaths[path],
      !difference.itemDeletes.contains(path), !difference.itemReloads.contains(path),
      !difference.itemInserts.contains(target), newSection(of: path.section) != nil,
      !difference.sectionInserts.contains(target.section)
    else { return nil }
    return target
  }

  /// Where the views of an old section are afterwards; `nil` if they go.
  func newSection(of section: Int) -> Int? {
    guard !difference.sectionDeletes.contains(section),
      !difference.sectionReloads.contains(section)
    else { return nil }
    return old.sectionIdentifier(at: section).flatMap { newSections[$0] }
  }
}
