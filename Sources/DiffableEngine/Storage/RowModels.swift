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
