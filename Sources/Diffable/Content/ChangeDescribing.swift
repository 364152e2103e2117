/// A model that can say which of its fields differ from an older version of it.
///
/// A row that is reconfigured may then touch only what has changed: see
/// ``ModelBatch/change(of:)``. The description is found between the two versions that a batch leads
/// from and to. So it covers all revisions that the batch passes over, however many they are, and it
/// names what a view has to do, not what happened in between.
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
  /// What is said of a change, such as a set of fields.
  associatedtype Change: Sendable

  /// What differs from an older version of the same model.
  func change(since old: Self) -> Change
}
