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
package struct ModelPieces {
  let kernel: ElementKernel
  private var pieces: [(first: UnsafeRawPointer, count: Int)] = []
  /// What makes them, and the number of the first one there; `nil` if they are in memory.
  private var made: (make: RowModels.Make, start: Int)?
  private(set) var count = 0

  package init(_ kernel: ElementKernel) {
    self.kernel = kernel
  }

  /// A part of adjacent models.
  init(_ span: ModelSpan, from start: Int, count: Int) {
    kernel = span.kernel
    append(span.address(start), count: count)
  }

  /// Models that are made.
  init(_ kernel: ElementKernel, count: Int, making make: @escaping RowModels.Make) {
    (self.kernel, self.count, made) = (kernel, count, (make, 0))
  }

  /// Adds adjacent models to those in memory.
  package mutating func append(_ first: UnsafeRawPointer, count: Int = 1) {
    self.count += count
    if let last = pieces.indices.last,
      pieces[last].first + pieces[last].count &* kernel.stride == first
    {
      pieces[last].count += count
    } else {
      pieces.append((first, count))
    }
  }

  /// Some of the models, by their numbers.
  func part(_ range: Range<Int>) -> ModelPieces {
    var part = ModelPieces(kernel)
    if let made {
      part.made = (made.make, made.start + range.lowerBound)
      part.count = range.count
      return part
    }
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
  }

  /// Copies all models to uninitialised memory, or makes them there.
  func copy(to target: UnsafeMutableRawPointer, count: Int) {
    precondition(count == self.count, "\(self.count) models beside \(count) elements")
    if let made { return made.make(made.start..<made.start + count, target) }
    var target = target
    for piece in pieces {
      kernel.copy(piece.first, to: target, count: piece.count)
      target += piece.count &* kernel.stride
    }
  }

  /// Calls a function with the place of all models, if there are any.
  func withSpan(_ body: (ModelSpan) -> Void) {
    guard count > 0 else { return }
    if pieces.count == 1 { return body(ModelSpan(kernel: kernel, first: pieces[0].first)) }
    let models = HashedElements(kernel, count: count) { copy(to: $0, count: count) }
    withExtendedLifetime(models) { body(ModelSpan(kernel: kernel, first: models.span.first)) }
  }

  /// The leaf with these models; `nil` if it has equal ones.
  func replacingModels(of leaf: Leaf) -> Leaf? {
    guard made != nil else { return areEqual(to: leaf) ? nil : leaf.beside(self) }
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
      for piece in pieces {
        guard kernel.countEqual(other, piece.first, piece.count) == piece.count else {
          return false
        }
        other += piece.count &* kernel.stride
      }
      return true
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
    self.init(kernel, count: models.count) { body in
      models.withUnsafeBufferPointer { body(UnsafeRawPointer($0.baseAddress)) }
    }
  }

  /// Models that are made in the leaves.
  package init(_ kernel: ElementKernel, count: Int, making make: @escaping Make) {
    withPieces = { body in body(ModelPieces(kernel, count: count, making: make)) }
  }

  /// Models that will be put into leaves.
  package convenience init(_ models: HashedElements) {
    self.init(models.kernel, count: models.count) { body in
      withExtendedLifetime(models) { body(models.isEmpty ? nil : models.span.first) }
    }
  }

  @usableFromInline init(
    _ kernel: ElementKernel, count: Int,
    withFirst: @escaping @Sendable (_ body: (UnsafeRawPointer?) -> Void) -> Void
  ) {
    withPieces = { body in
      withFirst { first in
        var pieces = ModelPieces(kernel)
        if let first { pieces.append(first, count: count) }
        body(pieces)
      }
    }
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
