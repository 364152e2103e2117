/// The model of a section, whatever its type, or the fact that it has none.
@usableFromInline package final class SectionContent: Equatable, Sendable {
  package let model: (any Equatable & Sendable)?

  package init(_ model: (any Equatable & Sendable)? = nil) {
    self.model = model
  }

  /// The value that a record stores: `nil` for a section without a model.
  package var stored: SectionContent? { model == nil ? nil : self }

  @usableFromInline package static func == (left: SectionContent, right: SectionContent) -> Bool {
    if left === right { return true }
    guard let model = left.model else { return right.model == nil }
    func equal<Model: Equatable>(_ model: Model) -> Bool { right.model as? Model == model }
    return equal(model)
  }
}
