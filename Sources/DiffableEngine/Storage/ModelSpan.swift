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

/// The addresses of the models of some elements, in consecutive pieces.
///
/// Code that has pieces must hold the memory that they refer to.
package struct ModelPieces {
  let kernel: ElementKernel
  private var pieces: [(first: UnsafeRawPointer, count: Int)] = []
  private(set) var count = 0

  package init(_ kernel: ElementKernel) {
    self.kernel = kernel
  }

  /// A part of adjacent models.
  init(_ span: ModelSpan, from start: Int, count: Int) {
    kernel = span.kernel
    append(span.address(start), count: count)
  }

  /// Adds adjacent models.
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

  /// Copies all models to uninitialised memory.
  func copy(to target: UnsafeMutableRawPointer, count: Int) {
    precondition(count == self.count, "\(self.count) models beside \(count) elements")
    var target = target
    for piece in pieces {
      kernel.copy(piece.first, to: target, count: piece.count)
      target += piece.count &* kernel.stride
    }
  }
}

/// The models of the items of a section, in the same number and order, to be applied to a source.
///
/// They stay in the array that was passed.
@usableFromInline package final class RowModels: Sendable {
  let kernel: ElementKernel
  let count: Int
  /// Calls a function with the address of the first model, if there is one.
  private let withFirst: @Sendable (_ body: (UnsafeRawPointer?) -> Void) -> Void

  /// The models of a part of an array.
  @inlinable package convenience init<Model: Sendable>(
    _ models: ArraySlice<Model>, _ kernel: ElementKernel
  ) {
    self.init(kernel, count: models.count) { body in
      models.withUnsafeBufferPointer { body(UnsafeRawPointer($0.baseAddress)) }
    }
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
    self.kernel = kernel
    self.count = count
    self.withFirst = withFirst
  }

  /// Calls a function with the place of the models, and returns its result.
  package static func withSpan<Result>(
    of models: RowModels?, _ body: (ModelSpan?) -> Result
  ) -> Result {
    guard let models else { return body(nil) }
    var result: Result?
    models.withFirst { first in
      result = body(first.map { ModelSpan(kernel: models.kernel, first: $0) })
    }
    guard let result else { preconditionFailure("nobody was called with the models") }
    return result
  }
}
