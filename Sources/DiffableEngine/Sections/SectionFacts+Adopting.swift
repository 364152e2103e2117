extension SectionFacts {
  /// The same rows on the storage of the section in the live state.
  ///
  /// If this held an array, it also returns how the items match those of the live section. If
  /// requested, a list in place of an outline keeps the tree, see ``SectionOutline/showing(_:)``.
  func adopted(
    by partner: SectionFacts?, key: SectionKey, table: IdentityTable?, mostChanges: Int,
    keepingOutlines keepsOutlines: Bool
  ) -> (section: SectionFacts, matching: OrderMatching?) {
    var (array, tree, outline) = (array, tree, outline)
    if let partner, let live = partner.outline, live !== outline, outline != nil || keepsOutlines {
      let kept = outline ?? live.showing(self)
      if let kept, kept.isEqual(to: live) {
        (array, tree, outline) = (nil, partner.itemTree, live)
      } else if outline == nil, let kept {
        (array, tree) = (kept.visibleItems, nil)
        outline = kept
      }
    }
    var matching: OrderMatching?
    if let array, let partner {
      (tree, matching) = array.adopted(
        by: partner.itemTree, table: table, section: partner.key, mostChanges: mostChanges)
    }
    let result = tree ?? itemTree
    // Equal contents should be the same object, which is quickest to compare.
    if let partner, matching == nil, partner.key == key, partner.outline === outline,
      partner.tree?.isIdentical(to: result) == true
    {
      return (partner, nil)
    }
    return (SectionFacts(key: key, tree: result, outline: outline), matching)
  }
}
