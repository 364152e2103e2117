/// Models that a writer gives, by the identifiers of their items.
///
/// It uses identifiers and models through kernels, so it is compiled once. If an item gets a second
/// model, that model is appended, and the identifier then leads to it.
struct ModelPool: Sendable {
  private var identifiers: HashedElements
  private var models: HashedElements
  /// By slot: the number of a model plus 1, or 0 if the slot is free.
  ///
  /// At most half of the slots are used.
  private var slots: [Int32] = []
  /// The number of items that have a model here.
  private(set) var count = 0

  init(_ identifiers: ElementKernel, _ models: ElementKernel) {
    self.identifiers = HashedElements(identifiers)
    self.models = HashedElements(models)
  }

  /// Sets the model of an item; it replaces an earlier one.
  ///
  /// - Complexity: expected O(1).
  mutating func set(
    _ identifier: UnsafeRawPointer, hash: UInt32, model: UnsafeRawPointer
  ) {
    identifiers.append(identifier, hash: hash)
    models.append(model, hash: 1)
    if identifiers.count * 2 > slots.count {
      slots = Array(repeating: 0, count: max(16, slots.count * 2))
      count = 0
      for number in 0..<identifiers.count { file(number) }
    } else {
      file(identifiers.count - 1)
    }
  }

  /// Sets a model for its item.
  mutating func set<Model: Identifiable & Sendable>(_ model: Model)
  where Model.ID: Hashable & Sendable {
    let id = model.id
    withUnsafePointer(to: model) { model in
      withUnsafePointer(to: id) { set($0, hash: id.storedHash, model: model) }
    }
  }

  private mutating func file(_ number: Int) {
    let span = identifiers.span
    withExtendedLifetime(identifiers) {
      let hash = span.hashes[number]
      var slot = home(of: hash)
      while slots[slot] != 0 {
        let other = Int(slots[slot]) - 1
        if span.hashes[other] == hash,
          identifiers.kernel.areEqual(span.address(other), span.address(number))
        {
          slots[slot] = Int32(truncatingIfNeeded: number + 1)
          return
        }
        slot = (slot + 1) & (slots.count - 1)
      }
      slots[slot] = Int32(truncatingIfNeeded: number + 1)
      count += 1
    }
  }

  private func home(of hash: UInt32) -> Int { Int(hash >> 1) & (slots.count - 1) }

  /// The number of the model of an item.
  private func number(of identifier: UnsafeRawPointer, hash: UInt32) -> Int? {
    guard count > 0 else { return nil }
    let span = identifiers.span
    return withExtendedLifetime(identifiers) {
      var slot = home(of: hash)
      while slots[slot] != 0 {
        let number = Int(slots[slot]) - 1
        if span.hashes[number] == hash,
          identifiers.kernel.areEqual(span.address(number), identifier)
        {
          return number
        }
        slot = (slot + 1) & (slots.count - 1)
      }
      return nil
    }
  }

  /// The address of the model of an item, valid while the pool is held and not added to.
  ///
  /// - Complexity: expected O(1).
  func model(of identifier: UnsafeRawPointer, hash: UInt32) -> UnsafeRawPointer? {
    number(of: identifier, hash: hash).map { models.span.address($0) }
  }

  /// Calls a function with each item that has a model here, in the order in which they were given.
  func forEach(
    _ body: (_ identifier: UnsafeRawPointer, _ hash: UInt32, _ model: UnsafeRawPointer) -> Void
  ) {
    withExtendedLifetime(self) {
      let span = identifiers.span
      for index in 0..<span.count {
        let (identifier, hash) = (span.address(index), span.hashes[index])
        // A model that was replaced is skipped: its replacement comes later.
        guard number(of: identifier, hash: hash) == index else { continue }
        body(identifier, hash, models.span.address(index))
      }
    }
  }
}
