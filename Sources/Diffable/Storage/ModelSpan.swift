/// Neighbouring models in memory.
///
/// Whoever has a span sees to it that what it lies in is held.
struct ModelSpan {
  let kernel: ElementKernel
  let first: UnsafeRawPointer

  /// Where a model is.
  @inline(__always) func address(_ index: Int) -> UnsafeRawPointer {
    first + index &* kernel.stride
  }

  /// The first of them, if they are of a type.
  func model<Model>(as type: Model.Type) -> Model? {
    // A batch of one kind of models can be taken for one of another.
    kernel.type == type ? first.assumingMemoryBound(to: type).pointee : nil
  }
}

/// Where the models of some elements are, in pieces, one behind the other.
///
/// Whoever has one sees to it that what they lie in is held.
struct ModelPieces {
  let kernel: ElementKernel
  private var pieces: [(first: UnsafeRawPointer, count: Int)] = []
  private(set) var count = 0

  init(_ kernel: ElementKernel) {
    self.kernel = kernel
  }

  /// Some neighbouring models.
  init(_ span: ModelSpan, from start: Int, count: Int) {
    kernel = span.kernel
    append(span.address(start), count: count)
  }

  /// Adds neighbouring models.
  mutating func append(_ first: UnsafeRawPointer, count: Int = 1) {
    self.count += count
    if let last = pieces.indices.last,
      pieces[last].first + pieces[last].count &* kernel.stride == first
    {
      pieces[last].count += count
    } else {
      pieces.append((first, count))
    }
  }

  /// Copies all of them to memory that holds nothing.
  func copy(to target: UnsafeMutableRawPointer, count: Int) {
    precondition(count == self.count, "\(self.count) models beside \(count) elements")
    var target = target
    for piece in pieces {
      kernel.copy(piece.first, to: target, count: piece.count)
      target += piece.count &* kernel.stride
    }
  }
}
