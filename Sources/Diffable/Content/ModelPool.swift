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
  var modelKernel: ElementKernel { models.kernel }

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

  /// Sets a model for its item.
  mutating func set<Model: Identifiable & Sendable>(_ model: Model)
  where Model.ID: Hashable & Sendable {
    let id = model.id
    withUnsafePointer(to: model) { model in
      withUnsafePointer(to: id) { set($0, hash: id.storedHash, model: model) }
    }
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
