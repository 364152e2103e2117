/// A section identifier whose sections have a model of their own, beside those of their items.
///
/// What a header or a footer shows is the model of its section. It changes by
/// ``ModelSource/setSectionModel(_:for:presentation:)`` without touching any row. The identifier
/// names the type, so that sources whose sections have no model need not mention one:
///
/// ```swift
/// enum Folder: ModelledSection {
///   typealias SectionModel = Header
///   case inbox, archive
/// }
/// ```
public protocol ModelledSection: Hashable, Sendable {
  /// What a section shows besides its items.
  associatedtype SectionModel: Equatable & Sendable
}
