/// What a program chooses for a source, whatever its kind; the defaults of all sources are here.
///
/// ```swift
/// let source = ModelSource<Folder, Note>(options: SourceOptions(duplicates: .keepLast))
/// ```
public struct SourceOptions: Sendable {
  /// What a write does with an identifier that appears twice in its snapshot.
  ///
  /// In a ``ModelSource``, the model at the place that is kept counts. Sources that show what others
  /// have written never contain an identifier twice, and ignore this.
  public var duplicates: DuplicatePolicy
  /// The number of revisions that are kept besides the live one.
  ///
  /// They are for undo, for merging, and for subscribers that want every revision or resume after
  /// one. They cost little, since related states share storage. A negative number means none.
  public var history: Int
  /// The epoch that the source continues; if it is `nil`, a new one.
  ///
  /// Pass the epoch of an earlier source only if this source repeats the revisions of that one: the
  /// same first state, then the same writes of all writers in the same order, before any subscriber
  /// resumes. If a revision may differ, omit it. Subscribers that resume then receive a reset. Only
  /// ``DataSourceActor`` and ``ModelSource`` use it.
  public var epoch: Epoch?
  /// The clock of ``UpdatePolicy/coalesced(throttle:)``, of pauses, and of the times in
  /// ``ListSource/metrics``.
  ///
  /// A test can set a clock that it advances itself.
  public var clock: any Clock<Duration>
  /// Receives the events of the source.
  ///
  /// Without an observer, events cost nothing.
  public var observer: DataSourceObserver?

  /// Creates options; those that are omitted have the default.
  ///
  /// - Parameters:
  ///   - duplicates: What a write does with an identifier that appears twice.
  ///   - history: The number of revisions that are kept besides the live one.
  ///   - epoch: The epoch that the source continues.
  ///   - clock: The clock of throttles, pauses and metrics.
  ///   - observer: Receives the events of the source.
  public init(
    duplicates: DuplicatePolicy = .reject, history: Int = 64, epoch: Epoch? = nil,
    clock: any Clock<Duration> = ContinuousClock(), observer: DataSourceObserver? = nil
  ) {
    self.duplicates = duplicates
    self.history = history
    self.epoch = epoch
    self.clock = clock
    self.observer = observer
  }

  /// The options of a source that shows what others have written.
  ///
  /// - Parameter epoch: The epoch of its revisions; if it is `nil`, a new one.
  package func showing(epoch: Epoch? = nil) -> SourceOptions {
    var options = self
    options.duplicates = .reject
    options.epoch = epoch
    return options
  }
}
