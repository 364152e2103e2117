import Diffable

extension ListController {
  /// What a batch that is being shown leads from and to.
  struct Passage {
    let from: Snapshot<SectionID, ItemID>
    let to: Snapshot<SectionID, ItemID>
    /// The new identifiers of items that are the same rows, by the old ones.
    let newNames: [ItemID: ItemID]

    init(
      from: Snapshot<SectionID, ItemID>, to: Snapshot<SectionID, ItemID>,
      _ renamed: [ItemRename<ItemID>]
    ) {
      self.from = from
      self.to = to
      newNames = Dictionary(
        renamed.lazy.filter { to.containsItem($0.new) && !to.containsItem($0.old) }
          .map { ($0.old, $0.new) },
        uniquingKeysWith: { first, _ in first })
    }
  }

  /// The identifier that an item has after the batch that is being shown.
  func newName(of item: ItemID) -> ItemID { passage?.newNames[item] ?? item }

  /// Lets the selection go on under the identifiers that items have in the state on display.
  func renameSelection() {
    guard let names = passage?.newNames, !names.isEmpty,
      selectedItems.contains(where: { names[$0] != nil })
    else { return }
    let renamed = selectedItems.map { item in
      names[item].flatMap { snapshot.containsItem($0) ? $0 : nil } ?? item
    }
    changeSelection(to: Set(renamed), by: .renaming)
  }
}
