/// The options of every source, with their defaults.
///
/// ```swift
/// let source = ModelSource<Folder, Note>(options: SourceOptions(duplicates: .keepLast))
/// ```
public struct SourceOptions: Sendable {
  /// What a write does with an identifier that appears twice in its snapshot.
  ///
  /// In a ``ModelSource``, the model at the place that is kept counts. An edit gives its models to items and
  /// not to places: of several for an item, the last one counts, also if an earlier place is kept. Sources that
  /// show what others have written never contain an identifier twice, and ignore this.
  public var duplicates: DuplicatePolicy
  /// The number of revisions that are kept besides the live one.
  ///
  /// They are for undo, for merging, and for subscribers that want every revision or resume after
  /// one. A negative number means none.
  ///
  /// States that follow each other share storage, so a revision costs what its change has touched:
  /// about 2 kB, and up to 64 identifiers with their models for each place that has changed. The
  /// history of a list of 20 models takes 150 to 200 kB, and one revision that replaces 100,000 UUIDs
  /// 2 MB. ``historyBytes`` limits that.
  public var history: Int
  /// The number of bytes that the revisions besides the live one may hold; if it is `nil`, any
  /// number.
  ///
  /// If they hold more, the oldest ones go, even if fewer than ``history`` are left. After a change
  /// that costs more than this alone, none is left: the change cannot be undone, and subscribers that
  /// resume receive a reset. The number is estimated from what each change has touched. It does not
  /// include what identifiers and models hold elsewhere, such as the text of long strings.
  public var historyBytes: Int?
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
  /// A test can set a clock that it advances itself. After a clock is set back by an hour, every pause
  /// lasts an hour longer.
  public var clock: any Clock<Duration>
  /// Receives the events of the source.
  ///
  /// Without an observer, events cost nothing.
  public var observer: DataSourceObserver?
  /// Whether the list goes on when the source ends.
  var outlivesSource = false

  /// Creates options; those that are omitted have the default.
  ///
  /// - Parameters:
  ///   - duplicates: What a write does with an identifier that appears twice.
  ///   - history: The number of revisions that are kept besides the live one.
  ///   - historyBytes: The number of bytes that they may hold.
  ///   - epoch: The epoch that the source continues.
  ///   - clock: The clock of throttles, pauses and metrics.
  ///   - observer: Receives the events of the source.
  public init(
    duplicates: DuplicatePolicy = .reject, history: Int = 64, historyBytes: Int? = nil,
    epoch: Epoch? = nil, clock: any Clock<Duration> = ContinuousClock(),
    observer: DataSourceObserver? = nil
  ) {
    self.duplicates = duplicates
    self.history = history
    self.historyBytes = historyBytes
    self.epoch = epoch
    self.clock = clock
    self.observer = observer
  }

  /// The options of a source that follows another one, and is told nothing else: the history and the
  /// clock of that one.
  ///
  /// Its observer stays its own, or it would be told of each change twice.
  package init(following source: Hub) {
    self.init(
      history: source.historyLength, historyBytes: source.historyBytes, clock: source.clock)
  }

  /// The options of a source that shows what others have written.
  ///
  /// - Parameters:
  ///   - epoch: The epoch of its revisions; if it is `nil`, a new one.
  ///   - outlivesSource: Whether the list goes on when the source ends.
  package func showing(epoch: Epoch? = nil, outlivesSource: Bool = false) -> SourceOptions {
    var options = self
    options.duplicates = .reject
    options.epoch = epoch
    options.outlivesSource = outlivesSource
    return options
  }
}
