/// What counts where a writer and others have both changed the same: a model that no function merges, or where
/// an element is.
package enum MergeRule: Sendable {
  /// A change: what the writer has made of it.
  case change
  /// A change that takes back another one, as far as what that has made still shows: what others have made of
  /// it since.
  case undo
}
