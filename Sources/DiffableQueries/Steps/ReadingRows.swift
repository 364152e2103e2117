import Diffable

/// Reading rows by their addresses.
extension Snapshot {
  /// The visible rows of a section, or of all, that pass a test; or those at some positions in a
  /// section.
  ///
  /// - Complexity: O(m) for m rows of a list, O(m · log m) for those of an outline.
  func places(
    ofSectionAt section: Int? = nil, at positions: Range<Int>? = nil,
    passing test: RowTest? = nil
  ) -> [RowPlace] {
    var rows: [RowPlace] = []
    for index in section.map({ $0..<$0 + 1 }) ?? 0..<numberOfSections {
      let record = order[index]
      let positions = positions?.clamped(to: 0..<record.itemCount) ?? 0..<record.itemCount
      guard !positions.isEmpty else { continue }
      guard record.outline == nil else {
        for item in positions {
          let row = row(at: ItemPath(section: index, item: item))
          if test?.keeps(row) ?? true { rows.append(row) }
        }
        continue
      }
      record.items.tree.base.forEachLeaf(in: positions) { leaf, base in
        withExtendedLifetime(leaf) {
          let offsets = positions.clamped(to: base..<base + leaf.count)
          let first = offsets.lowerBound - base
          // A leaf has no more elements than a word has bits.
          var kept = (UInt64.max &>> UInt64(64 - offsets.count)) &<< UInt64(first)
          if let test { kept = test.select(leaf.shown(at: 0), leaf.count, kept) }
          while kept != 0 {
            let offset = kept.trailingZeroBitCount
            rows.append(leaf.row(at: offset))
            kept &= kept - 1
          }
        }
      }
    }
    return rows
  }

  /// The visible rows of a section, or those at some positions in it, that pass a test, as a tree.
  ///
  /// It shares leaves with this snapshot, which must hold trees, as all states of a source do.
  ///
  /// - Returns: `nil` for an outline.
  /// - Complexity: See ``OrderTree/selecting(_:_:)``.
  func rows(
    ofSectionAt index: Int, at positions: Range<Int>?, passing test: RowTest?
  ) -> OrderTree? {
    let record = order[index]
    guard record.outline == nil else { return nil }
    let tree = record.items.tree.base
    let all = 0..<tree.count
    return tree.selecting(positions?.clamped(to: all) ?? all) { leaf, candidates in
      test?.select(leaf.shown(at: 0), leaf.count, candidates) ?? candidates
    }
  }

  /// Calls a function with the addresses of the row at a path, which must exist.
  ///
  /// The snapshot must hold trees, as all states of a source do.
  ///
  /// - Complexity: O(log n) for n items.
  func withRow<Result>(at path: ItemPath, _ body: (RowPlace) -> Result) -> Result {
    let (tree, isOutline) = base.withBody(ofSectionAt: path.section) { section in
      (section.itemTree, section.isOutline)
    }
    return tree.withRow(at: path.item) { row in
      guard kernels.models != nil, isOutline, let outline = outline(ofSectionAt: path.section)
      else { return body(row) }
      guard let position = outline.position(ofVisibleRow: path.item) else {
        preconditionFailure("no row of an outline at \(path)")
      }
      return outline.rows.base.withModel(at: position) { model in
        guard let model else { preconditionFailure("a row without a model") }
        return body(RowPlace(item: row.item, element: model.first))
      }
    }
  }

  /// The addresses of the row at a path.
  func row(at path: ItemPath) -> RowPlace { withRow(at: path) { $0 } }
}

extension GivenContent {
  /// Sets the model of the item at an address, if the list has models.
  mutating func set(_ item: UnsafeRawPointer, model: UnsafeRawPointer, _ kernels: SnapshotKernels) {
    guard let models = kernels.models else { return }
    set(item, hash: kernels.items.hash(of: item), model: model, models, kernels.items)
  }
}
