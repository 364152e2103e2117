/// The addresses of a row of a snapshot: of its identifier, and of what the list shows for it.
///
/// In a source of identifiers both are the same. The addresses are in leaves of the snapshot, which
/// never change, so they are valid for as long as the snapshot is held.
@usableFromInline struct RowPlace {
  let item: UnsafeRawPointer
  /// The model or, if there is none, the identifier.
  @usableFromInline let element: UnsafeRawPointer

  /// The identifier.
  func item<ItemID>(as type: ItemID.Type = ItemID.self) -> ItemID {
    item.assumingMemoryBound(to: type).pointee
  }
}

extension Snapshot {
  /// Adds the visible rows of a section, or those at some positions in it, that pass a test.
  ///
  /// - Complexity: O(m) for m rows of a list, O(m · log m) for those of an outline.
  func appendRows(
    ofSectionAt index: Int, at positions: Range<Int>? = nil, passing test: RowTest?,
    to rows: inout [RowPlace]
  ) {
    let record = order[index]
    let positions = positions?.clamped(to: 0..<record.itemCount) ?? 0..<record.itemCount
    guard !positions.isEmpty else { return }
    guard record.outline == nil else {
      for item in positions {
        let row = row(at: ItemPath(section: index, item: item))
        if test?.keeps(row) ?? true { rows.append(row) }
      }
      return
    }
    let hasModels = kernels.models != nil
    record.items.tree.base.forEachLeaf(in: positions) { leaf, base in
      withExtendedLifetime(leaf) {
        let offsets = positions.clamped(to: base..<base + leaf.count)
        let first = offsets.lowerBound - base
        func element(_ offset: Int) -> UnsafeRawPointer {
          hasModels ? leaf.element(at: offset) : leaf.span.address(offset)
        }
        // A leaf has no more elements than a word has bits.
        var kept = UInt64.max >> UInt64(64 - offsets.count)
        if let test {
          kept = test.select(element(first), offsets.count, kept)
        }
        while kept != 0 {
          let offset = first + kept.trailingZeroBitCount
          rows.append(RowPlace(item: leaf.span.address(offset), element: element(offset)))
          kept &= kept - 1
        }
      }
    }
  }

  /// Calls a function with the addresses of the row at a path, which must exist.
  ///
  /// The snapshot must hold trees, as all states of a source do.
  ///
  /// - Complexity: O(log n) for n items.
  func withRow<Result>(at path: ItemPath, _ body: (RowPlace) -> Result) -> Result {
    let (tree, isOutline) = base.withFacts(ofSectionAt: path.section) { section in
      (section.itemTree, section.isOutline)
    }
    guard let place = tree.leaf(atPosition: path.item), path.item >= place.base,
      path.item - place.base < place.leaf.count
    else { preconditionFailure("no row at \(path)") }
    return withExtendedLifetime(place.leaf) {
      let offset = path.item - place.base
      let item = place.leaf.span.address(offset)
      guard kernels.models != nil else { return body(RowPlace(item: item, element: item)) }
      guard isOutline, let outline = outline(ofSectionAt: path.section) else {
        return body(RowPlace(item: item, element: place.leaf.element(at: offset)))
      }
      guard let position = outline.position(ofVisibleRow: path.item) else {
        preconditionFailure("no row of an outline at \(path)")
      }
      return outline.rows.base.withModel(at: position) { model in
        guard let model else { preconditionFailure("a row without a model") }
        return body(RowPlace(item: item, element: model.first))
      }
    }
  }

  /// The addresses of the row at a path.
  func row(at path: ItemPath) -> RowPlace { withRow(at: path) { $0 } }
}

extension Leaf {
  /// The address of the model of an element, which must have one.
  fileprivate func element(at offset: Int) -> UnsafeRawPointer {
    guard let models else { preconditionFailure("a row without a model") }
    return models.address(offset)
  }
}
