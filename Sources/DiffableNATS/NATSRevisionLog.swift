#if NATS
public import DiffableSync
import Dispatch
public import Diffable
import Synchronization

/// A shared log in a stream of NATS JetStream.
///
/// All participants of a list create a log with the same name on the same servers. The first one makes
/// the stream. Each append is a message, which makes as many revisions as it has entries.
///
/// Creating a log does not connect. The first call connects and opens the stream, which takes about
/// four requests. The connection then lasts as long as the log, and is made again whenever it is lost.
/// A call that is made in between waits for it, up to ``Options/timeout``, but an append is refused at once:
/// nothing is sent of it.
///
/// A cancelled task gets `RevisionLogError.unavailable(reason:)` at once, and its request may still take
/// effect. If the request has not begun, it gets `RevisionLogError.notDone(reason:)`.
public final class NATSRevisionLog: RevisionLog {
  /// The name of the list and of its stream.
  public let name: String

  let replicas: Int
  private let opener: SessionOpener
  private let open = Lock<Session?>(nil)
  var warnings: Warnings { opener.warnings }

  /// Creates a log without connecting.
  ///
  /// - Parameters:
  ///   - urls: The addresses of servers, such as `nats://127.0.0.1:4222`. One is enough: it names the
  ///     others of its cluster.
  ///   - name: The name of the list: 1 to 100 letters, digits, `-` and `_` of ASCII. Its streams are
  ///     called `NAME`, `NAME-state` and `NAME-pieces`, so no name may end like the last two.
  ///   - options: How to connect, and how to make the streams if there are none.
  /// - Throws: `RevisionLogError.rejected(reason:)` if an argument does not match its description.
  public init(
    urls: [String], name: String, options: Options = Options()
  ) throws(RevisionLogError) {
    try Self.checkArguments(urls, options)
    guard StreamNames.accepts(name) else {
      throw .rejected(
        reason: "“\(name)” is not 1 to 100 letters, digits, hyphens and underscores of ASCII")
    }
    if let suffix = StreamNames.suffix(of: name) {
      throw .rejected(
        reason: "“\(name)” ends with “\(suffix)”, as a stream of the list "
          + "“\(name.dropLast(suffix.count))” does")
    }
    (self.name, replicas) = (name, options.replicas)
    opener = SessionOpener(urls: urls, name: name, options: options)
  }

  /// Checks arguments before something is calculated with them.
  static func checkArguments(_ urls: [String], _ options: Options) throws(RevisionLogError) {
    guard !urls.isEmpty else { throw .rejected(reason: "there is no address of a server") }
    guard (1...5).contains(options.replicas) else {
      throw .rejected(reason: "a stream has 1 to 5 replicas, not \(options.replicas)")
    }
    guard options.timeout >= .milliseconds(1), options.timeout <= .seconds(86400) else {
      throw .rejected(reason: "a timeout is a millisecond to a day, not \(options.timeout)")
    }
  }

  /// The epoch of the stream.
  ///
  /// Makes the stream if there is none. Participants that do so at the same time agree on one epoch.
  ///
  /// - Complexity: O(1) after the first call of any kind.
  /// - Throws: `RevisionLogError.rejected(reason:)` if the servers refuse access, or a stream of
  ///   that name is not such a log. `RevisionLogError.unavailable(reason:)` if no server answers.
  public func epoch() async throws(RevisionLogError) -> Epoch {
    try await session().epoch
  }

  /// The open session, or a new one.
  func session() async throws(RevisionLogError) -> Session {
    guard !Task.isCancelled else { throw .taskWasCancelled.ofNothingDone }
    if let session = openSession() { return session }
    return try await Answer.made(on: opener.queue) { () throws(RevisionLogError) in
      // Another task may have opened it while this one was waiting in the queue.
      if let session = self.openSession() { return session }
      let session = try self.opener.open()
      let old = self.open.withLock { open in
        defer { open = session }
        return open
      }
      withExtendedLifetime(old) {}
      return session
    }
  }

  private func openSession() -> Session? {
    let session = open.withLock { $0 }
    return session?.isClosed == false ? session : nil
  }
}
#endif
