/// Where a row of a snapshot is in memory: its identifier, and what the list shows for it.
///
/// In a source of identifiers both are the same place. The addresses are in leaves of the snapshot,
/// which never change, so they are good for as long as the snapshot is held.
@usableFromInline struct RowPlace {
  let item: UnsafeRawPointer
  /// The model, or else the identifier.
  @usableFromInline let element: UnsafeRawPointer
}

extension Snapshot {
  /// Adds where the visible rows of a section are, or those at some positions in it, that pass a test.
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
    record.items.tree.base.forEachLeaf(in: positions) { leaf, base in
      withExtendedLifetime(leaf) {
        let (items, models) = (leaf.span, leaf.models)
        let offsets = positions.clamped(to: base..<base + leaf.count)
        let first = offsets.lowerBound - base
        // A leaf has no more elements than a word has bits.
        var kept = UInt64.max >> UInt64(64 - offsets.count)
        if let test {
          kept = test.select(models?.address(first) ?? items.address(first), offsets.count, kept)
        }
        while kept != 0 {
          let offset = first + kept.trailingZeroBitCount
          let item = items.address(offset)
          rows.append(RowPlace(item: item, element: models?.address(offset) ?? item))
          kept &= kept - 1
        }
      }
    }
  }

  /// Calls a function with where the row at a path is, which must exist.
  ///
  /// The snapshot must hold trees, as all states of a source do.
  ///
  /// - Complexity: O(log n) for n items.
  func withRow<Result>(at path: ItemPath, _ body: (RowPlace) -> Result) -> Result {
    let record = order[path.section]
    let tree = record.items.tree.base
    guard let place = tree.leaf(atPosition: path.item), path.item >= place.base,
      path.item - place.base < place.leaf.count
    else { preconditionFailure("no row at \(path)") }
    return withExtendedLifetime(place.leaf) {
      let offset = path.item - place.base
      let item = place.leaf.span.address(offset)
      guard let outline = record.outline?.value,
        let position = outline.position(ofVisibleRow: path.item)
      else {
        return body(RowPlace(item: item, element: place.leaf.models?.address(offset) ?? item))
      }
      return outline.rows.base.withModel(at: position) {
        body(RowPlace(item: item, element: $0?.first ?? item))
      }
    }
  }

  /// Where the row at a path is.
  func row(at path: ItemPath) -> RowPlace { withRow(at: path) { $0 } }
}
