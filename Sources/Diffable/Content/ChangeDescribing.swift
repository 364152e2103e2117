/// A model that can describe which fields differ from an older version.
///
/// A row that is reconfigured can then update only what has changed: see
/// ``ModelBatch/change(of:)``. The description compares the two versions before and after a batch.
/// So it covers all revisions that the batch spans, however many there are, and tells what a view
/// has to update, not what happened in between.
///
/// ```swift
/// extension Note: ChangeDescribing {
///   enum Field { case title, text }
///
///   func change(since old: Note) -> Set<Field> {
///     var fields: Set<Field> = []
///     if title != old.title { fields.insert(.title) }
///     if text != old.text { fields.insert(.text) }
///     return fields
///   }
/// }
/// ```
public protocol ChangeDescribing: Identifiable, Equatable, Sendable {
  /// The description of a change, such as a set of fields.
  associatedtype Change: Sendable

  /// What differs from an older version of the same model.
  func change(since old: Self) -> Change
}
