extension SnapshotDifference {
  /// Finds what changed from one list of identifiers to another, with the fewest moves.
  ///
  /// Use it for arrays without a source. The paths of the difference are those of one section.
  ///
  /// ```swift
  /// let difference = try SnapshotDifference(from: ["a", "b", "c"], to: ["c", "a", "d"])
  /// // deletes b, inserts d, moves a
  /// ```
  ///
  /// - Parameters:
  ///   - old: The identifiers before the change.
  ///   - new: The identifiers after it.
  ///   - section: The section index in the paths of both sides.
  /// - Throws: ``SnapshotError/duplicateItems(_:)`` if an identifier appears twice in either list.
  /// - Complexity: O(n) comparisons for n identifiers, a hash for each, and O(r log r) for r runs
  ///   of neighbours in both lists.
  @inlinable public init<ID: Hashable & Sendable>(
    from old: some Sequence<ID>, to new: some Sequence<ID>, section: Int = 0
  ) throws(SnapshotError) {
    try self.init(
      ContiguousArray(old), ContiguousArray(new), ElementKernel(ID.self), section: section,
      id: { $0 })
  }

  /// Finds what changed from one list of models to another, with the fewest moves.
  ///
  /// Models with the same `id` are the same element. Elements on both sides whose models are not
  /// equal are reconfigured.
  ///
  /// - Parameters:
  ///   - old: The models before the change.
  ///   - new: The models after it.
  ///   - section: The section index in the paths of both sides.
  /// - Throws: ``SnapshotError/duplicateItems(_:)`` if an identifier appears twice in either list.
  /// - Complexity: O(n) comparisons for n models, a hash of each identifier, and O(r log r) for r
  ///   runs of neighbours in both lists.
  @inlinable public init<Model: Identifiable & Equatable & Sendable>(
    fromModels old: some Sequence<Model>, to new: some Sequence<Model>, section: Int = 0
  ) throws(SnapshotError) where Model.ID: Sendable {
    try self.init(
      ContiguousArray(old), ContiguousArray(new), ElementKernel(Model.self, by: { $0.id }),
      section: section, id: { $0.id }, models: ElementKernel(models: Model.self))
  }

  /// Finds what changed from one list to another, by an identifier in each element.
  ///
  /// Moves are the fewest possible. An element on both sides counts as unchanged, whatever else it
  /// contains.
  ///
  /// - Parameters:
  ///   - old: The elements before the change.
  ///   - new: The elements after it.
  ///   - section: The section index in the paths of both sides.
  ///   - id: Returns the identifier of an element. It is called several times for each element.
  /// - Throws: ``SnapshotError/duplicateItems(_:)`` if an identifier appears twice in either list.
  /// - Complexity: O(n) comparisons for n elements, a hash for each, and O(r log r) for r runs of
  ///   neighbours in both lists.
  @inlinable public init<Element: Sendable, ID: Hashable & Sendable>(
    from old: some Sequence<Element>, to new: some Sequence<Element>, section: Int = 0,
    by id: @escaping @Sendable (Element) -> ID
  ) throws(SnapshotError) {
    try self.init(
      ContiguousArray(old), ContiguousArray(new), ElementKernel(Element.self, by: id),
      section: section, id: id)
  }

  /// - Parameter models: Compares the elements as a whole; `nil` if only identifiers are compared.
  @usableFromInline init<Element, ID: Hashable & Sendable>(
    _ old: ContiguousArray<Element>, _ new: ContiguousArray<Element>,
    _ kernel: ElementKernel, section: Int, id: (Element) -> ID, models: ElementKernel? = nil
  ) throws(SnapshotError) {
    let found = ValueSide.withSide(of: [old], kernel: kernel) { oldSide in
      ValueSide.withSide(of: [new], kernel: kernel) { newSide in
        ValueComparison.compare(
          oldSide, isUnique: false, newSide, isUnique: false,
          pairs: [MatchedRun(old: 0, new: 0, count: 1)])
      }
    }
    switch found {
    case .oldIsTwice: throw .duplicateItems(twice: old.map(id), inSectionAt: section)
    case .newIsTwice: throw .duplicateItems(twice: new.map(id), inSectionAt: section)
    case .compared(let comparison):
      var correspondence = Correspondence()
      comparison.addChanges(to: &correspondence)
      for index in correspondence.changed.indices {
        correspondence.changed[index].old = section
        correspondence.changed[index].new = section
      }
      self.init(correspondence)
      guard let models else { return }
      for run in comparison.pairs[0].runs { addReconfigures(run, old, new, section, models) }
    }
  }

  /// Adds the elements of a run whose content differs between two lists.
  private mutating func addReconfigures<Element>(
    _ run: MatchedRun, _ old: ContiguousArray<Element>, _ new: ContiguousArray<Element>,
    _ section: Int, _ models: ElementKernel
  ) {
    old[run.oldRange].withUnsafeBufferPointer { old in
      new[run.newRange].withUnsafeBufferPointer { new in
        guard let old = old.baseAddress, let new = new.baseAddress else { return }
        models.forEachDifference(old, new, count: run.count) { number in
          let index = run.new + number
          itemReconfigures.append(section: section, items: index..<index + 1)
        }
      }
    }
  }
}
