#if NATS
import CNATS
public import Diffable
public import DiffableSync
import Dispatch
import Synchronization

extension NATSRevisionLog {
  /// The entries that a participant does not know; waits until there is one.
  ///
  /// The log reads ahead, up to 16,384 entries or 16 MiB. So a call that continues where the last one
  /// ended takes entries that have arrived already, and so does one for a later revision. A call for
  /// an earlier revision starts to read again, which takes some requests.
  ///
  /// An entry that this log was the last to append mostly comes back before its writer has gone on. It
  /// is returned to tasks that do not know it ten milliseconds later, or when another entry arrives.
  ///
  /// If several tasks read from different revisions, create a log for each of them. Otherwise nearly
  /// every call starts to read again.
  ///
  /// A message that no participant has written is an entry without a delta.
  ///
  /// - Returns: Up to 256 entries or 1 MiB, one entry at least. `LogPage.cut` if the stream no
  ///   longer has the entry of the next revision.
  /// - Complexity: That of reading as many messages.
  /// - Throws: `RevisionLogError.rejected(reason:)` if reading is not allowed, and if the stream was
  ///   deleted. `RevisionLogError.unavailable(reason:)` if the servers do not answer, and when the
  ///   task is cancelled. Nothing is lost: ask again.
  public func entries(
    after known: @escaping @Sendable () -> Revision
  ) async throws(RevisionLogError) -> LogPage {
    while true {
      let revision = known()
      guard revision.isOfLog else {
        throw .rejected(reason: "\(revision) is no revision of a log")
      }
      let session = try await session()
      guard let feed = try await session.feed(after: revision.number) else { return .cut }
      if let page = try await feed.page(after: { known().number }) { return page }
    }
  }
}

extension NATSRevisionLog {
  /// The last revision in the log, or `nil` if nothing that is left in the stream tells.
  ///
  /// - Complexity: About three requests.
  /// - Throws: As ``epoch()``.
  public func lastRevision() async throws(RevisionLogError) -> Revision? {
    let session = try await session()
    return try await Answer.made(on: session.reading) { () throws(RevisionLogError) in
      try session.end().map { Revision($0.revision) }
    }
  }

  /// Whether a participant that starts now can read all entries after the newest stored state.
  ///
  /// - Complexity: About four requests.
  public func isComplete() async throws(RevisionLogError) -> Bool {
    let session = try await session()
    return try await Answer.made(on: session.storing) { () throws(RevisionLogError) in
      try session.isComplete()
    }
  }
}

extension Session {
  /// The feed that reads the log after a revision; `nil` if the next entry was dropped.
  fileprivate func feed(after last: Int) async throws(RevisionLogError) -> Feed? {
    if let feed = current(after: last) { return feed }
    return try await Answer.made(on: reading) { () throws(RevisionLogError) in
      // Another task may have started it while this one was waiting in the queue.
      if let feed = self.current(after: last) { return feed }
      guard let place = try self.place(before: last) else { return nil }
      let feed = Feed(
        after: place, of: self.epoch, self.appends, queue: self.timing, places: self.places)
      // Before it has a subscription: if the connection is lost or closed from here on, it ends.
      let old = self.feed.withLock { current in
        defer { current = feed }
        return current
      }
      old?.end()
      do throws(RevisionLogError) {
        feed.keep(try self.subscribe(feed, after: place.sequence))
      } catch {
        feed.end()
        throw error
      }
      self.watch(feed)
      return feed
    }
  }

  private func current(after last: Int) -> Feed? {
    let feed = feed.withLock { $0 }
    return feed?.continues(after: last) == true ? feed : nil
  }

  private func subscribe(_ feed: Feed, after last: UInt64) throws(RevisionLogError) -> Handle {
    let what = "reading the log after \(last)"
    let subject = names.inLog
    let subscription = try withCTexts([names.log]) { texts throws(RevisionLogError) in
      var settings = jsSubOptions()
      try check(jsSubOptions_Init(&settings), what)
      settings.Stream = texts[0]
      settings.ManualAck = true
      settings.Config.DeliverPolicy = js_DeliverByStartSequence
      settings.Config.OptStartSeq = last + 1
      settings.Config.AckPolicy = js_AckNone
      settings.Config.MaxDeliver = 1
      settings.Config.FlowControl = true
      settings.Config.Heartbeat = 2_000_000_000
      settings.Config.Replicas = 1
      settings.Config.MemoryStorage = true
      var subscription: OpaquePointer?
      var code = jsErrCode(0)
      let status = context.with {
        js_Subscribe(
          &subscription, $0, subject, { Feed.receive($2, $3) },
          Registry<Feed>.pointer(feed.number), nil, &settings, &code)
      }
      try check(status, code: code, what)
      guard let subscription else { throw .unavailable(reason: what) }
      return subscription
    }
    return Handle(subscription, endingOn: ending) { [connection] subscription in
      // Version 3.4.1 of the library may use a subscription after it was destroyed if messages arrive
      // at that time. After this call no message arrives, and earlier ones have been handled.
      natsSubscription_Unsubscribe(subscription)
      connection.with { _ = natsConnection_FlushTimeout($0, 1000) }
      natsSubscription_Destroy(subscription)
    }
  }

  /// Checks now and then whether the log has more entries than have arrived.
  ///
  /// The library notices messages that are lost on the way. But if the log drops entries before it has
  /// sent them, the library notices only when another entry follows.
  private func watch(_ feed: Feed) {
    reading.asyncAfter(deadline: .now() + 10) { [weak self, weak feed] in
      guard let self, let feed, !feed.hasEnded else { return }
      // A stream that ends before that was put back from an older copy: the next feed says so.
      if let last = feed.awaited, let end = try? lastSequence(), end != last,
        feed.awaited == last
      {
        feed.end()
      }
      watch(feed)
    }
  }
}
#endif
