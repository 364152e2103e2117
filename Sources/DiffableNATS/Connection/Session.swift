#if NATS
import CNATS
import Diffable
import Dispatch
import Synchronization

/// A connection, and the stream that was opened over it.
///
/// It lasts as long as the C library keeps the connection up, which it does forever unless servers
/// refuse access.
final class Session: Sendable {
  let names: StreamNames
  let epoch: Epoch
  /// How long a request waits, in milliseconds.
  let timeout: Int64
  let connection: Handle
  let context: Handle
  let appends: PendingAppends
  /// What reads the log now.
  let feed = Mutex<Feed?>(nil)

  /// Sends entries, in their order.
  ///
  /// The thread may wait until the socket takes more.
  let sending = DispatchQueue(label: "NATSRevisionLog.sending")
  /// Starts to read, and watches whether what is read is all.
  let reading = DispatchQueue(label: "NATSRevisionLog.reading")
  /// Stores and fetches states.
  let storing = DispatchQueue(label: "NATSRevisionLog.storing")

  /// Destroys what belongs to the connection.
  let ending: DispatchQueue

  /// Whether an entry was sent.
  ///
  /// Only `sending` uses it.
  let hasSent = Atomic(false)

  private let number: UInt
  private let closed = Atomic(false)

  /// The sessions that callbacks are for.
  static let registry = Registry<Session>()

  init(
    _ number: UInt, names: StreamNames, epoch: Epoch, timeout: Int64, connection: Handle,
    context: Handle, ending: DispatchQueue
  ) {
    (self.number, self.names, self.epoch, self.timeout) = (number, names, epoch, timeout)
    (self.connection, self.context, self.ending) = (connection, context, ending)
    appends = PendingAppends(watch: reading, timeout: timeout)
    Self.registry.register(self, as: number)
    if connection.with({ natsConnection_IsClosed($0) }) { connectionHasClosed() }
  }

  deinit {
    Self.registry.remove(number)
    appends.end(with: .unavailable(reason: "the log is no longer in use"))
  }

  var isClosed: Bool { closed.load(ordering: .acquiring) }
}

/// What the C library says, on its threads.
extension Session {
  /// The answers to what was sent are lost.
  ///
  /// Each may mean that an entry was appended.
  func connectionWasLost() {
    sending.async { [self] in
      appends.end(with: .unavailable(reason: "the connection to the servers was lost"))
      // The library would wait for the answers forever. Before the first entry it has no list of them.
      guard hasSent.load(ordering: .relaxed) else { return }
      var messages = natsMsgList()
      _ = context.with { js_PublishAsyncGetPendingList(&messages, $0) }
      natsMsgList_Destroy(&messages)
    }
    endFeed()
  }

  /// Reading goes on from the start: what reads for this session may have been on a lost server.
  func connectionIsBack() { endFeed() }

  /// Servers have refused to let the library connect again.
  ///
  /// The next call tries with a new session.
  func connectionHasClosed() {
    closed.store(true, ordering: .releasing)
    connectionWasLost()
  }

  func reported(_ status: natsStatus, _ text: String?) {
    switch status {
    case NATS_NOT_PERMITTED where text?.contains(names.entries) == true:
      // All entries have the same subject, so none of those that were sent gets through.
      appends.end(with: .failure(status, text: text, "appending an entry"))
    case NATS_MISMATCH, NATS_MISSED_HEARTBEAT, NATS_SLOW_CONSUMER:
      endFeed()
    default: break
    }
  }

  func endFeed() {
    feed.withLock { $0 }?.end()
  }
}
#endif
