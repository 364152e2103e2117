/// Adjacent models in memory.
///
/// Code that has a span must hold the memory that it refers to.
package struct ModelSpan {
  package let kernel: ElementKernel
  package let first: UnsafeRawPointer

  package init(kernel: ElementKernel, first: UnsafeRawPointer) {
    (self.kernel, self.first) = (kernel, first)
  }

  /// The address of a model.
  @inline(__always) package func address(_ index: Int) -> UnsafeRawPointer {
    first + index &* kernel.stride
  }

  /// The first model, if the models have the given type.
  package func model<Model>(as type: Model.Type) -> Model? {
    // A batch of one type of models may be used as a batch of another type.
    kernel.type == type ? first.assumingMemoryBound(to: type).pointee : nil
  }
}

/// The model of one element, with the leaf that has both.
@usableFromInline package struct HeldModel {
  package let span: ModelSpan
  private let leaf: Leaf
  private let element: UnsafeRawPointer

  /// The model at an offset in a leaf; `nil` if the leaf has no models.
  init?(at offset: Int, in leaf: Leaf) {
    guard let models = leaf.models else { return nil }
    self.leaf = leaf
    element = leaf.span.address(offset)
    span = ModelSpan(kernel: models.kernel, first: models.address(offset))
  }

  /// Calls a function with the addresses of the element, which begins with its identifier, and of the model;
  /// not if the models have another type.
  @usableFromInline package func withAddresses(
    ofModel type: any Any.Type, _ body: (_ element: UnsafeRawPointer, UnsafeRawPointer) -> Void
  ) {
    // A batch of one type of models may be used as a batch of another type.
    if span.kernel.type == type { withExtendedLifetime(leaf) { body(element, span.first) } }
  }
}

/// The models of some elements, in consecutive pieces of memory, or made where they will be.
///
/// Code that has pieces must hold the memory that they refer to.
@usableFromInline package struct ModelPieces {
  /// Where the models come from.
  private enum Origin {
    /// One piece, which mostly is all; its address, if there are any.
    case piece(UnsafeRawPointer?)
    case pieces([(first: UnsafeRawPointer, count: Int)])
    /// What makes them, and the number of the first one there.
    case making(RowModels.Make, start: Int)
  }

  let kernel: ElementKernel
  private var origin = Origin.piece(nil)
  private(set) var count = 0

  package init(_ kernel: ElementKernel) {
    self.kernel = kernel
  }

  /// Adjacent models.
  @usableFromInline init(_ kernel: ElementKernel, first: UnsafeRawPointer?, count: Int) {
    (self.kernel, self.count, origin) = (kernel, count, .piece(first))
  }

  /// A part of adjacent models.
  init(_ span: ModelSpan, from start: Int, count: Int) {
    self.init(span.kernel, first: span.address(start), count: count)
  }

  /// Models that are made.
  init(_ kernel: ElementKernel, count: Int, making make: @escaping RowModels.Make) {
    (self.kernel, self.count, origin) = (kernel, count, .making(make, start: 0))
  }

  /// Adds adjacent models to those in memory.
  package mutating func append(_ first: UnsafeRawPointer, count: Int = 1) {
    defer { self.count += count }
    switch origin {
    case .piece(let start):
      guard let start, self.count > 0 else { return origin = .piece(first) }
      if start + self.count &* kernel.stride != first {
        origin = .pieces([(start, self.count), (first, count)])
      }
    case .pieces(var pieces):
      origin = .piece(nil)
      let last = pieces[pieces.endIndex - 1]
      if last.first + last.count &* kernel.stride == first {
        pieces[pieces.endIndex - 1].count += count
      } else {
        pieces.append((first, count))
      }
      origin = .pieces(pieces)
    case .making: preconditionFailure("models in memory beside some that are made")
    }
  }

  /// Calls a function with each piece of models in memory, in order, until it returns `false`.
  private func forEachPiece(_ body: (_ first: UnsafeRawPointer, _ count: Int) -> Bool) {
    switch origin {
    case .piece(let first): if let first, count > 0 { _ = body(first, count) }
    case .pieces(let pieces): for piece in pieces where !body(piece.first, piece.count) { return }
    case .making: return
    }
  }

  /// Some of the models, by their numbers.
  func part(_ range: Range<Int>) -> ModelPieces {
    precondition(range.upperBound <= count, "no \(range) in \(count) models")
    switch origin {
    case .piece(let first):
      return ModelPieces(
        kernel, first: first.map { $0 + range.lowerBound &* kernel.stride }, count: range.count)
    case .pieces(let pieces):
      var part = ModelPieces(kernel)
      var start = 0
      for piece in pieces {
        let common = range.clamped(to: start..<start + piece.count)
        if !common.isEmpty {
          part.append(
            piece.first + (common.lowerBound - start) &* kernel.stride, count: common.count)
        }
        start += piece.count
      }
      return part
    case .making(let make, let start):
      var part = ModelPieces(kernel, count: range.count, making: make)
      part.origin = .making(make, start: start + range.lowerBound)
      return part
    }
  }

  /// Copies all models to uninitialised memory, or makes them there.
  func copy(to target: UnsafeMutableRawPointer, count: Int) {
    precondition(count == self.count, "\(self.count) models beside \(count) elements")
    if case .making(let make, let start) = origin { return make(start..<start + count, target) }
    var target = target
    forEachPiece { first, count in
      kernel.copy(first, to: target, count: count)
      target += count &* kernel.stride
      return true
    }
  }

  /// Calls a function with the place of all models, if there are any.
  func withSpan(_ body: (ModelSpan) -> Void) {
    guard count > 0 else { return }
    if case .piece(let first?) = origin { return body(ModelSpan(kernel: kernel, first: first)) }
    let models = HashedElements(kernel, count: count) { copy(to: $0, count: count) }
    withExtendedLifetime(models) { body(ModelSpan(kernel: kernel, first: models.span.first)) }
  }

  /// The leaf with these models; `nil` if it has equal ones.
  func replacingModels(of leaf: Leaf) -> Leaf? {
    guard case .making = origin else { return areEqual(to: leaf) ? nil : leaf.beside(self) }
    let other = leaf.beside(self)
    return withExtendedLifetime(other) {
      guard let models = other.models else { return other }
      return ModelPieces(models, from: 0, count: count).areEqual(to: leaf) ? nil : other
    }
  }

  /// Whether models in memory are equal to those of a leaf.
  private func areEqual(to leaf: Leaf) -> Bool {
    withExtendedLifetime(leaf) {
      guard var other = leaf.models?.first else { return false }
      var areEqual = true
      forEachPiece { first, count in
        areEqual = kernel.countEqual(other, first, count) == count
        other += count &* kernel.stride
        return areEqual
      }
      return areEqual
    }
  }
}

/// The models of the items of a section, in the same number and order, to be applied to a source.
///
/// They stay in the array that was passed, or are made in the leaves: to make many elsewhere and copy them takes
/// twice as long.
@usableFromInline package final class RowModels: Sendable {
  /// Writes some of the models, by their numbers, to uninitialised memory; may be called again for the same ones.
  package typealias Make = @Sendable (_ rows: Range<Int>, UnsafeMutableRawPointer) -> Void

  /// Calls a function with the models.
  private let withPieces: @Sendable (_ body: (ModelPieces) -> Void) -> Void

  /// The models of a part of an array.
  @inlinable package convenience init<Model: Sendable>(
    _ models: ArraySlice<Model>, _ kernel: ElementKernel
  ) {
    self.init { body in
      models.withUnsafeBufferPointer {
        body(ModelPieces(kernel, first: UnsafeRawPointer($0.baseAddress), count: $0.count))
      }
    }
  }

  /// Models that are made in the leaves.
  package convenience init(_ kernel: ElementKernel, count: Int, making make: @escaping Make) {
    self.init { body in body(ModelPieces(kernel, count: count, making: make)) }
  }

  /// Models that will be put into leaves.
  package convenience init(_ models: HashedElements) {
    self.init { body in
      withExtendedLifetime(models) {
        let first = models.isEmpty ? nil : models.span.first
        body(ModelPieces(models.kernel, first: first, count: models.count))
      }
    }
  }

  @usableFromInline init(
    _ withPieces: @escaping @Sendable (_ body: (ModelPieces) -> Void) -> Void
  ) {
    self.withPieces = withPieces
  }

  /// Calls a function with the models, and returns its result.
  package static func withPieces<Result>(
    of models: RowModels?, _ body: (ModelPieces?) -> Result
  ) -> Result {
    guard let models else { return body(nil) }
    var result: Result?
    models.withPieces { result = body($0) }
    guard let result else { preconditionFailure("nobody was called with the models") }
    return result
  }

  /// Calls a function with the place of all models, if there are any.
  package func withSpan(_ body: (ModelSpan) -> Void) { withPieces { $0.withSpan(body) } }
}

/// The leaves of the live state from which some new leaves were most likely made.
///
/// They are walked in step with the new ones; when the two differ, the search extends one leaf
/// further.
package struct Neighbours {
  private let leaves: [Leaf]
  private var leaf = 0
  private var offset = 0

  package init(_ leaves: [Leaf]) {
    self.leaves = leaves
  }

  /// The address of the model of an element, if it is near the previous one.
  ///
  /// - Complexity: O(1) if it follows the previous one, otherwise O(l) for leaves of l elements.
  package mutating func model(of element: UnsafeRawPointer, hash: UInt32) -> UnsafeRawPointer? {
    if leaf < leaves.count, offset >= leaves[leaf].count { (leaf, offset) = (leaf + 1, 0) }
    guard leaf < leaves.count else { return nil }
    var found =
      leaves[leaf].offset(of: element, hash: hash, from: offset)
      ?? (offset > 0 ? leaves[leaf].offset(of: element, hash: hash) : nil)
    if found == nil, leaf + 1 < leaves.count {
      found = leaves[leaf + 1].offset(of: element, hash: hash)
      if found != nil { leaf += 1 }
    }
    guard let found else { return nil }
    offset = found + 1
    return leaves[leaf].models?.address(found)
  }
}
