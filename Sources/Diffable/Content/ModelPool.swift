/// Models that a writer gives, by the identifiers of their items.
///
/// It uses identifiers and models through kernels, so it is compiled once.
package struct ModelPool: Sendable {
  private var index: ElementIndex
  /// By number of the index.
  private var models: HashedElements

  init(_ identifiers: ElementKernel, _ models: ElementKernel) {
    index = ElementIndex(identifiers)
    self.models = HashedElements(models)
  }

  /// The models of different identifiers, in the same order.
  init(_ identifiers: ElementIndex, _ models: HashedElements) {
    precondition(identifiers.count == models.count, "not a model for each identifier")
    (index, self.models) = (identifiers, models)
  }

  var identifierKernel: ElementKernel { index.elements.kernel }
  package var modelKernel: ElementKernel { models.kernel }

  /// The number of items that have a model here.
  var count: Int { index.distinctCount }

  /// Sets the model of an item; it replaces an earlier one.
  ///
  /// - Complexity: expected O(1).
  mutating func set(
    _ identifier: UnsafeRawPointer, hash: UInt32, model: UnsafeRawPointer
  ) {
    index.set(identifier, hash: hash)
    models.append(model, hash: 1)
  }

  /// Sets models for their items; of two with the same identifier, the last counts.
  ///
  /// - Complexity: expected O(m) for m models, amortized.
  mutating func set<Model: Identifiable & Sendable>(contentsOf models: [Model])
  where Model.ID: Hashable & Sendable {
    index.set(contentsOf: HashedElements(hashing: models.map { $0.id }, index.elements.kernel))
    let elements = HashedElements(hashing: models, self.models.kernel)
    if self.models.isEmpty { self.models = elements } else { self.models.append(elements) }
  }

  /// The address of the model of an item, valid while the pool is held and not added to.
  ///
  /// - Complexity: expected O(1).
  func model(of identifier: UnsafeRawPointer, hash: UInt32) -> UnsafeRawPointer? {
    index.number(of: identifier, hash: hash).map { models.span.address($0) }
  }

  /// The same, given the number of the item that was found before, which is updated.
  ///
  /// It is quicker if the items are asked for in the order in which they were given.
  func model(
    of identifier: UnsafeRawPointer, hash: UInt32, after previous: inout Int
  ) -> UnsafeRawPointer? {
    guard let number = index.number(of: identifier, hash: hash, after: previous) else { return nil }
    previous = number
    return models.span.address(number)
  }

  /// Whether two models of the type of this pool are equal.
  func areEqual(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Bool {
    models.kernel.areEqual(left, right)
  }

  /// Calls a function with each item that has a model here, in the order in which they were given.
  package func forEach(
    _ body: (_ identifier: UnsafeRawPointer, _ hash: UInt32, _ model: UnsafeRawPointer) -> Void
  ) {
    withExtendedLifetime(self) {
      let span = index.elements.span
      for number in 0..<span.count {
        let (identifier, hash) = (span.address(number), span.hashes[number])
        // A model that was replaced is skipped: its replacement comes later.
        guard index.number(of: identifier, hash: hash) == number else { continue }
        body(identifier, hash, models.span.address(number))
      }
    }
  }
}

/// Fills a tree, which edits have made from a live state, with models.
///
/// A leaf that the live state has too already has its models. All other leaves have none, or hold
/// models of another time. Each of their elements gets the model that was given for it, or
/// otherwise its model in the live state. Most elements are found in their old neighbourhood. The
/// others are collected and searched together later.
struct ModelFiller {
  let models: ElementKernel
  /// The models that a writer gives.
  let given: ModelPool?
  /// The elements that are in neither place.
  private(set) var unresolved: [OrderMatching.Leftover] = []
  /// The number of given models that leaves have got.
  private(set) var placedCount = 0
  /// The number of the given model that was found last.
  private var lastGiven = -1
  /// By the address of such an element: the address of its live model, once it has been found.
  private var found: [UnsafeRawPointer: UnsafeRawPointer] = [:]

  init(_ models: ElementKernel, given: ModelPool?) {
    self.models = models
    self.given = given
  }

  /// Fills the leaves of a tree that are not in another tree, which belongs to the live state.
  ///
  /// A leaf that has an element without a model is left as it is, and the element is recorded.
  ///
  /// - Complexity: O(d · log n) for d such leaves of a tree of n elements.
  mutating func fill(_ tree: inout OrderTree, since live: OrderTree?) {
    var delta = LeafDelta()
    let old = live ?? OrderTree(shape: tree.shape, kernel: tree.kernel)
    LeafWindows.forEach(old: old, new: tree) { stretch in
      guard case .changed(let window) = stretch else { return }
      var neighbours = Neighbours(window.old.compactMap(\.leaf))
      for leaf in window.new.lazy.compactMap(\.leaf) {
        guard let pieces = pieces(for: leaf, &neighbours) else { continue }
        delta.removed.append(leaf)
        delta.added.append(leaf.beside(pieces))
      }
    }
    tree.exchangeLeaves(delta)
  }

  /// The places of the models for a leaf, or `nil` if one is not found.
  private mutating func pieces(
    for leaf: Leaf, _ neighbours: inout Neighbours
  ) -> ModelPieces? {
    var pieces = ModelPieces(models)
    let span = leaf.span
    var isComplete = true
    withExtendedLifetime(leaf) {
      for index in 0..<span.count {
        let (element, hash) = (span.address(index), span.hashes[index])
        let live = neighbours.model(of: element, hash: hash)
        if let model = given?.model(of: element, hash: hash, after: &lastGiven) {
          pieces.append(model)
          placedCount += 1
        } else if let model = live ?? found[element] {
          pieces.append(model)
        } else {
          isComplete = false
          unresolved.append(.init(position: index, hash: hash, address: element))
        }
      }
    }
    return isComplete ? pieces : nil
  }

  /// Searches leaves of the live state for the elements that were not found.
  ///
  /// - Parameter kernel: Compares the elements by their identifiers.
  /// - Complexity: O(d + m) for d leaves, with a look at each hash, and m sought elements.
  mutating func lookForUnresolved(in leaves: [Leaf], _ kernel: ElementKernel) {
    // All leaves are filled again afterwards.
    placedCount = 0
    let filter = HashFilter(unresolved.map(\.hash))
    // What is found leaves the pool, so many elements of one hash are found quickly too.
    var pool = LeftoverPool(unresolved, kernel)
    unresolved = []
    for leaf in leaves {
      let span = leaf.span
      filter.forEachCandidate(in: span.hashBuffer) { offset in
        guard let model = leaf.models?.address(offset),
          let number = pool.take(
            .init(position: offset, hash: span.hashes[offset], address: span.address(offset)))
        else { return }
        found[pool.leftovers[number].address] = model
      }
    }
  }

  /// Sets given models in a leaf that has models; `nil` if it already has them.
  func replacingModels(of leaf: Leaf) -> Leaf? {
    guard let given, let old = leaf.models else { return nil }
    var pieces = ModelPieces(models)
    var hasChanged = false
    let span = leaf.span
    return withExtendedLifetime((leaf, given)) {
      for index in 0..<span.count {
        let address = old.address(index)
        let model = given.model(of: span.address(index), hash: span.hashes[index])
        if let model, !models.areEqual(model, address) {
          pieces.append(model)
          hasChanged = true
        } else {
          pieces.append(address)
        }
      }
      return hasChanged ? leaf.beside(pieces) : nil
    }
  }
}
