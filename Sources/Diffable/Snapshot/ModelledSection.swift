/// A section identifier whose sections have models, besides the models of their items.
///
/// A header or a footer shows the model of its section.
/// ``ModelSource/setSectionModel(_:for:presentation:)`` changes it without affecting any row. The
/// identifier names the type of the model, so sources without section models need not mention one:
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
