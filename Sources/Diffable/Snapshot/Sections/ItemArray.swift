/// The items of a section as they were passed in: nothing is copied or hashed.
///
/// With the kernel of the tree that they may become and, if a writer gives them, their models.
package final class ItemArray<ItemID: Hashable & Sendable>: SectionArray {
  let items: [ItemID]
  let kernel: ElementKernel
  let models: RowModels?

  init(_ items: [ItemID], _ kernel: ElementKernel, models: RowModels? = nil) {
    (self.items, self.kernel, self.models) = (items, kernel, models)
  }

  package var count: Int { items.count }
  package var hasModels: Bool { models != nil }

  package func makeTree() -> OrderTree {
    RowModels.withSpan(of: models) {
      ItemTree(items, models: $0, shape: .items, kernel: kernel).base
    }
  }

  package func adopted(
    by old: OrderTree, table: IdentityTable?, section: SectionKey, mostChanges: Int
  ) -> (tree: OrderTree, matching: OrderMatching?) {
    let (tree, matching) = ItemTree<ItemID>(old).adopting(
      items, models: models, table: table, section: section, mostChanges: mostChanges)
    return (tree.base, matching)
  }
}
