/// The contents of a section, in code that knows the type of its items.
///
/// It is used only for sections with items of that type; see `TypedRevisionNotes.of(_:)`.
extension SectionFacts {
  convenience init<ItemID>(
    key: SectionKey, items: SectionItems<ItemID>, outline: HeldOutline<ItemID>? = nil,
    model: SectionContent? = nil
  ) {
    switch items {
    case .array(let array): self.init(key: key, array: array, outline: outline, model: model)
    case .tree(let tree): self.init(key: key, tree: tree.base, outline: outline, model: model)
    }
  }

  func items<ItemID>(of type: ItemID.Type = ItemID.self) -> SectionItems<ItemID> {
    if let tree { return .tree(ItemTree(tree)) }
    guard let array else { preconditionFailure("a section without items") }
    return .array(unsafeDowncast(array, to: ItemArray<ItemID>.self))
  }

  func outline<ItemID>(of type: ItemID.Type = ItemID.self) -> HeldOutline<ItemID>? {
    outline.map { HeldOutline.of($0) }
  }
}
