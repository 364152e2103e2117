#if NATS
import CNATS
import Diffable
import DiffableSync
import Dispatch
import Synchronization

/// A connection and the stream that was opened over it.
///
/// The C library keeps the connection up until the session is closed or the servers refuse access.
final class Session: Sendable {
  let names: StreamNames
  let epoch: Epoch
  /// How long to wait for an answer, in milliseconds.
  let timeout: Int64
  let connection: Handle
  let context: Handle
  let appends: PendingAppends
  /// The feed that reads the log now.
  let feed = Lock<Feed?>(nil)

  let warnings: Warnings
  let places: KnownPlaces

  /// Sends entries in order.
  ///
  /// Its thread may wait until the socket can take more.
  let sending = DispatchQueue(label: "NATSRevisionLog.sending")
  /// Starts feeds, and checks that they have everything.
  let reading = DispatchQueue(label: "NATSRevisionLog.reading")
  /// Looks at the time, and never waits for a server.
  ///
  /// So the time limit of an append does not wait until requests of the other queues are answered.
  let timing = DispatchQueue(label: "NATSRevisionLog.timing")
  /// Stores and loads states.
  let storing = DispatchQueue(label: "NATSRevisionLog.storing")

  /// Destroys the objects of the connection.
  let ending: DispatchQueue

  /// Whether an entry was sent.
  ///
  /// Used on `sending` only.
  let hasSent = Atomic(false)

  /// When the log was first and last found to end before a revision that it has had.
  let olderSince = Lock<(first: DispatchTime, last: DispatchTime)?>(nil)

  private let number: UInt
  private let closed = Atomic(false)

  /// The sessions that callbacks can reach.
  static let registry = Registry<Session>()

  init(
    _ number: UInt, names: StreamNames, epoch: Epoch, timeout: Int64, connection: Handle,
    context: Handle, ending: DispatchQueue, warnings: Warnings, places: KnownPlaces
  ) {
    (self.number, self.names, self.epoch, self.timeout) = (number, names, epoch, timeout)
    (self.connection, self.context, self.ending) = (connection, context, ending)
    (self.warnings, self.places) = (warnings, places)
    appends = PendingAppends(watch: timing, timeout: timeout)
    Self.registry.register(self, as: number)
    if connection.with({ natsConnection_IsClosed($0) }) { connectionHasClosed() }
  }

  deinit {
    Self.registry.remove(number)
    appends.end(with: .unavailable(reason: "the log is no longer in use"))
  }

  var isClosed: Bool { closed.load(ordering: .acquiring) }
}

/// The callbacks of the C library, on its threads.
extension Session {
  /// The connection is lost, and with it all answers to come.
  ///
  /// Any entry that was sent may have been appended.
  func connectionWasLost() {
    sending.async { [self] in
      appends.end(with: .unavailable(reason: "the connection to the servers was lost"))
      // The library would wait for the answers forever. It has no list of them before the first entry.
      guard hasSent.load(ordering: .relaxed) else { return }
      var messages = natsMsgList()
      _ = context.with { js_PublishAsyncGetPendingList(&messages, $0) }
      natsMsgList_Destroy(&messages)
    }
    endFeed()
  }

  /// The connection is back.
  ///
  /// Reading starts anew, since the server may have lost the consumer.
  func connectionIsBack() {
    endFeed()
    checkVersion()
  }

  /// Warns if the server is one that loses entries.
  func checkVersion() {
    storing.async { [weak self] in
      guard let self else { return }
      var url = [CChar](repeating: 0, count: 256)
      let status = connection.with { natsConnection_GetConnectedUrl($0, &url, url.count) }
      guard status == NATS_OK else { return }
      let text = String(
        decoding: url.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      // Without a name and a password.
      let address = text.split(separator: "@").last.map(String.init) ?? text
      guard let version = ServerVersion(ofServerAt: address, milliseconds: min(timeout, 1000)),
        version < .oldest
      else { return }
      warnings.add(.oldServer(version, at: address))
    }
  }

  /// The servers have refused to let the library connect again.
  ///
  /// The next call tries with a new session.
  func connectionHasClosed() {
    closed.store(true, ordering: .releasing)
    connectionWasLost()
  }

  func reported(_ status: natsStatus, _ text: String?) {
    switch status {
    case NATS_NOT_PERMITTED where text?.contains(names.entries) == true:
      // All entries have the same subject, so the servers refuse every one that was sent.
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
