/// What a data source does with an identifier that appears twice in a snapshot.
public enum DuplicatePolicy: Hashable, Sendable {
  /// The snapshot is rejected with an error that lists every duplicate. Nothing changes.
  case reject
  /// The first place counts; later ones are dropped and listed in the batch.
  case keepFirst
  /// The last place counts; earlier ones are dropped and listed in the batch.
  ///
  /// Apple's append does the same with an item that is already in the list.
  case keepLast
}
