// A call that looks right and is not. It exists for the compiler's message alone.
extension EditableListSource {
  /// Not available: an edit cannot wait.
  @available(
    *, unavailable,
    message: "an edit cannot wait, since no other write may come in between; await first, then edit"
  )
  @discardableResult public func update<Result>(
    named name: String? = nil, presentation: Presentation = .animated,
    _ edit: sending (inout Draft) async throws -> sending Result
  ) async throws -> Revision {
    throw DataSourceError.cancelled
  }
}
