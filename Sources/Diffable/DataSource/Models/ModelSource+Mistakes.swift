// A call that looks right and is not. It exists for the compiler's message alone.
extension ModelSource {
  /// Not available: models do not say by themselves in which section they belong.
  @available(
    *, unavailable,
    message: "name the section of each model: 'section: \\.folder', or 'section: { _ in \"all\" }'"
  )
  @discardableResult public func apply(
    _ models: some Sequence<Model>, presentation: Presentation = .animated,
    ifRevision expected: Revision? = nil
  ) throws(DataSourceError) -> Revision {
    throw .cancelled
  }
}
