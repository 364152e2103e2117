import Diffable

/// Passes the batches of one source at a time to a list.
///
/// A newer source ends the older one. Following continues where it stopped only for the last
/// followed source, and only if nothing else has been shown since.
@MainActor
final class Follower<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  typealias Source = any ListSource<SectionID, ItemID>
  typealias Batch = UpdateBatch<SectionID, ItemID>

  /// The outcome of a batch.
  enum Outcome {
    case shown
    /// The batch does not start at the state on display, which has this token.
    case elsewhere(ResumeToken?)
    /// There is nothing left to show batches in.
    case hostGone
  }

  typealias Show = @MainActor (Batch) async -> Outcome

  /// The source of the state on display.
  private(set) weak var source: Source?
  /// The same, if it can be changed.
  var editableSource: (any EditableListSource<SectionID, ItemID>)? {
    source as? any EditableListSource<SectionID, ItemID>
  }
  /// Differs each time something is followed.
  private(set) var number = 0
  private var isFollowing = false
  private var task: Task<Void, Never>?
  /// The tasks that wait until a state of the source is on display.
  private let waiters = DisplayWaiters()

  deinit {
    task?.cancel()
  }

  /// Follows a source in the calling task.
  func follow(
    _ source: Source, after token: ResumeToken?, _ show: Show
  ) async -> FollowingEnd {
    let updates = begin(source, after: token)
    let number = number
    let end = await Self.take(updates, number, of: { [weak self] in self }, show)
    didEnd(number)
    return end
  }

  /// Follows a source in a task that ends with this object.
  ///
  /// - Parameter show: Must not hold the owner of this object.
  func start(_ source: Source, after token: ResumeToken?, _ show: @escaping Show) {
    task?.cancel()
    let updates = begin(source, after: token)
    let number = number
    task = Task { [weak self] in
      _ = await Self.take(updates, number, of: { [weak self] in self }, show)
      self?.didEnd(number)
    }
  }

  /// Waits until a revision of the followed source, or a later one, is on display.
  ///
  /// - Parameters:
  ///   - shown: The revision on display.
  ///   - token: The token of the state on display, which identifies the source of that revision.
  /// - Returns: Whether it is on display; `false` if the list has stopped following, or the task
  ///   was cancelled.
  func displayed(
    _ revision: Revision, shown: Revision?, _ token: ResumeToken?
  ) async -> Bool {
    guard let source else { return false }
    if let shown, shown >= revision, source.token(for: shown) == token { return true }
    return isFollowing ? await waiters.wait(for: revision) : false
  }

  /// Reports that a batch is on display.
  func didShow(_ batch: Batch) {
    if source?.token(for: batch.target) == batch.token { waiters.didShow(batch.target) }
  }

  /// Ends what ``start(_:after:_:)`` began.
  func stop() {
    task?.cancel()
    task = nil
  }

  /// Stops following; no source is continued where it stopped.
  func forget() {
    stop()
    number += 1
    source = nil
    didEnd(number)
  }

  private func didEnd(_ number: Int) {
    guard number == self.number else { return }
    isFollowing = false
    waiters.end()
  }

  private func begin(_ source: Source, after token: ResumeToken?) -> AsyncStream<Batch> {
    let isKnown = source === self.source
    // The waiters are for revisions of the previous source.
    if !isKnown { waiters.end() }
    self.source = source
    number += 1
    isFollowing = true
    return source.reader.updates(after: isKnown ? token : nil)
  }

  /// Shows batches until there is a reason to end.
  ///
  /// Neither the source nor this object is held while waiting for a batch.
  private static func take(
    _ updates: AsyncStream<Batch>, _ number: Int, of follower: () -> Follower?, _ show: Show
  ) async -> FollowingEnd {
    var updates = updates
    while true {
      var resumed: AsyncStream<Batch>?
      batches: for await var batch in updates {
        guard follower()?.number == number else { return .superseded }
        switch await show(batch) {
        case .shown: break
        case .hostGone: return .hostGone
        case .elsewhere(let token):
          resumed = follower()?.source?.reader.updates(after: token)
          if resumed != nil { break batches }
          // The source is gone, and this is its last state.
          batch.base = nil
          _ = await show(batch)
        }
        guard follower()?.number == number else { return .superseded }
      }
      guard let next = resumed else { break }
      updates = next
    }
    return Task.isCancelled ? .cancelled : .sourceFinished
  }
}
