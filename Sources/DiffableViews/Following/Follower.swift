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
    /// It is on display, or no longer wanted.
    case shown
    /// The batch does not start at the state on display, which has this token.
    case elsewhere(ResumeToken?)
    /// There is nothing left to show batches in.
    case hostGone
  }

  typealias Show = @MainActor (Batch) async -> Outcome

  /// The source of the state on display, as long as it exists.
  private(set) weak var source: Source?
  /// The epoch of that source, which the list may outlive.
  private var epoch: Epoch?
  /// Its newest revision that was on display, and the token of that state.
  private var shown: (revision: Revision, token: ResumeToken)?
  /// The followed source, if its subscribers hold it: nobody else may do so.
  private var held: (any AnyObject & Sendable)?
  /// The same, if its items can be dragged.
  var reorderableSource: (any ReorderableListSource<SectionID, ItemID>)? {
    source as? any ReorderableListSource<SectionID, ItemID>
  }
  /// Differs each time something is followed.
  private(set) var number = 0
  private var isFollowing = false
  private var task: Task<Void, Never>?
  /// The batches that are followed; ended by everything that replaces them.
  private var subscription: Subscription<Batch>?
  /// The tasks that wait until a state of the source is on display.
  private let waiters = WaitingTasks()

  deinit {
    task?.cancel()
  }

  /// Follows a source in the calling task.
  func follow(
    _ source: Source, after token: ResumeToken?, _ show: Show
  ) async -> FollowingEnd {
    begin(source, after: token)
    let number = number
    let end = await Self.take(number, of: { [weak self] in self }, show)
    didEnd(number)
    return end
  }

  /// Follows a source in a task that ends with this object.
  ///
  /// The task may last as long as the list. So it is detached: it keeps neither the priority nor the
  /// task-local values of the caller, who may be doing anything.
  ///
  /// - Parameter show: Must not hold the owner of this object.
  func start(_ source: Source, after token: ResumeToken?, _ show: @escaping Show) {
    task?.cancel()
    begin(source, after: token)
    let number = number
    let follower: @MainActor () -> Follower? = { [weak self] in self }
    task = Task.detached(priority: .userInitiated) {
      _ = await Self.take(number, of: follower, show)
      await follower()?.didEnd(number)
    }
  }

  /// Waits until a revision of the followed source, or a later one, is on display.
  ///
  /// What is on display stays there when the source is gone.
  ///
  /// - Parameter token: The token of the state on display, which may be that of something else.
  /// - Returns: Whether it is on display; `false` if the list has stopped following, or the task
  ///   was cancelled.
  func displayed(_ revision: Revision, _ token: ResumeToken?) async -> Bool {
    if let shown, shown.revision >= revision, shown.token == token { return true }
    return isFollowing ? await waiters.wait(for: revision) : false
  }

  /// Reports that a batch is on display.
  func didShow(_ batch: Batch) {
    guard let epoch, batch.token.parts?.epoch == epoch else { return }
    shown = (batch.target, batch.token)
    waiters.wake { $0 <= batch.target }
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
    (source, epoch, shown) = (nil, nil, nil)
    didEnd(number)
  }

  private func didEnd(_ number: Int) {
    guard number == self.number else { return }
    isFollowing = false
    held = nil
    subscribe(nil)
    waiters.wake(returning: false)
  }

  private func begin(_ source: Source, after token: ResumeToken?) {
    let isKnown = source === self.source
    // The waiters are for revisions of the previous source.
    if !isKnown {
      waiters.wake(returning: false)
      (epoch, shown) = (source.reader.hub.epoch, nil)
    }
    self.source = source
    held = source.reader.holder
    number += 1
    isFollowing = true
    subscribe(source.reader.subscribe(after: isKnown ? token : nil))
  }

  /// Ends the subscription that there is, and wakes the task that waits for its next batch.
  private func subscribe(_ next: Subscription<Batch>?) {
    subscription?.end()
    subscription = next
  }

  /// Follows the same source from another state on; `false` if the source is gone.
  private func resume(after token: ResumeToken?) -> Bool {
    guard let source else { return false }
    subscribe(source.reader.subscribe(after: token))
    return true
  }

  /// Shows batches until there is a reason to end.
  ///
  /// Neither the source nor this object is held while waiting for a batch.
  private static func take(
    _ number: Int, of follower: @MainActor () -> Follower?, _ show: Show
  ) async -> FollowingEnd {
    func isFollowed() -> Bool { follower()?.number == number }
    func subscription() -> Subscription<Batch>? { isFollowed() ? follower()?.subscription : nil }
    while let batches = subscription(), var batch = await batches.take() {
      guard isFollowed() else { break }
      let outcome = await show(batch)
      if case .hostGone = outcome { return .hostGone }
      guard isFollowed(), case .elsewhere(let token) = outcome,
        follower()?.resume(after: token) != true
      else { continue }
      // The source is gone, and this is its last state.
      batch.base = nil
      _ = await show(batch)
    }
    guard isFollowed() else { return .superseded }
    return Task.isCancelled ? .cancelled : .sourceFinished
  }
}

/// Why a list no longer follows a source.
public enum FollowingEnd: Hashable, Sendable {
  /// The source has finished, or was released. Its last state is on display.
  case sourceFinished
  /// The task was cancelled.
  case cancelled
  /// The list follows something else.
  case superseded
  /// The host was released, or has another controller.
  case hostGone
}
