/// What a data source does with an identifier that stands twice in a snapshot.
public enum DuplicatePolicy: Hashable, Sendable {
  /// The snapshot is refused with an error that lists every duplicate. Nothing changes.
  case reject
  /// The first place counts; later ones are dropped and listed in the batch.
  case keepFirst
  /// The last place counts; earlier ones are dropped and listed in the batch.
  ///
  /// That is what Apple's append does with an item that is already there.
  case keepLast
}
