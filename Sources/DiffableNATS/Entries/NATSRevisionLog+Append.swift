#if NATS
import CNATS
public import Diffable
public import DiffableSync
import Dispatch
import Synchronization

extension NATSRevisionLog {
  /// Appends an entry if the stream ends at a revision.
  ///
  /// The entry is a message with the delta as its payload, the name of the write as its
  /// `Nats-Msg-Id`, and the expected last sequence number as a header. The server answers once most
  /// replicas have stored it. For two minutes the stream recognizes an entry that it has already. A
  /// second call with that entry returns what the first one would have returned.
  ///
  /// - Returns: Whether the entry makes the next revision.
  /// - Complexity: One request to the servers.
  /// - Throws: `RevisionLogError.rejected(reason:)` if the entry is larger than a message may be,
  ///   which is 1 MiB by default, if storage is used up, if access is not allowed, or if the stream
  ///   was deleted. `RevisionLogError.unavailable(reason:)` after ``Options/timeout``, when the
  ///   connection is lost, when a server's stream ends before the revision, and when the task is
  ///   cancelled. The entry may have been appended then.
  public func append(
    _ entries: [LogEntry], after revision: Revision
  ) async throws(RevisionLogError) -> Bool {
    guard entries.count == 1, let entry = entries.first else {
      throw .rejected(reason: "a message has one entry")
    }
    guard let last = revision.sequence else {
      throw .rejected(reason: "\(revision) is no revision of a log")
    }
    let session = try await session()
    let answer = Answer<AppendOutcome>()
    session.sending.async { session.send(entry, after: last, to: answer) }
    switch try await answer.value() {
    case .appended: return true
    case .notNext: return false
    case .noTaker:
      try await Answer.made(on: session.reading) { () throws(RevisionLogError) in
        _ = try session.lastSequence()
      }
      throw .unavailable(reason: "no server leads the stream \(name) at present")
    }
  }
}

extension Session {
  /// Sends an entry.
  ///
  /// The answer comes later on a thread of the library.
  fileprivate func send(_ entry: LogEntry, after last: UInt64, to answer: Answer<AppendOutcome>) {
    var message: OpaquePointer?
    // If the library takes the message, it sets the variable to `nil` and destroys the message itself.
    defer { natsMsg_Destroy(message) }
    do throws(RevisionLogError) {
      let limit = connection.with { natsConnection_GetMaxPayload($0) }
      // A server closes the connection if a client sends more.
      guard Int64(entry.delta.count) + Header.largestSize <= limit else {
        throw .rejected(
          reason:
            "an entry of \(entry.delta.count) bytes is larger than a message, of \(limit). Make "
            + "the change in several writes, or raise “max_payload” of the servers")
      }
      message = try entry.message(on: names.entries, of: epoch, after: last)
    } catch {
      return answer.give(.failure(error))
    }
    guard let sent = message else { return }
    appends.add(answer, to: entry.id, for: sent, toMake: last + 1)
    let status = context.with { js_PublishMsgAsync($0, &message, nil) }
    if status == NATS_OK {
      hasSent.store(true, ordering: .relaxed)
    } else {
      appends.failed(sent, status)
    }
  }
}

extension LogEntry {
  fileprivate func message(
    on subject: String, of epoch: Epoch, after last: UInt64
  ) throws(RevisionLogError) -> OpaquePointer {
    let what = "preparing an entry"
    let message = try made(what) { message in
      delta.withUnsafeBytes {
        natsMsg_Create(
          message, subject, nil, $0.baseAddress?.assumingMemoryBound(to: CChar.self),
          Int32(clamping: $0.count))
      }
    }
    do throws(RevisionLogError) {
      try check(natsMsgHeader_Set(message, Header.id, id.description), what)
      try check(natsMsgHeader_Set(message, Header.last, String(last)), what)
      try check(natsMsgHeader_Set(message, Header.epoch, epoch.description), what)
      return message
    } catch {
      natsMsg_Destroy(message)
      throw error
    }
  }

  /// Reads the entry in a message; `nil` if it has no name of a write, no delta, or another epoch.
  ///
  /// Entries that earlier versions have written have no epoch.
  init?(_ message: OpaquePointer, in epoch: Epoch) {
    guard let id = header(Header.id, of: message).flatMap({ WriteID($0) }),
      header(Header.epoch, of: message) ?? epoch.description == epoch.description
    else { return nil }
    let delta = payload(of: message)
    guard !delta.isEmpty else { return nil }
    self.init(id: id, delta: delta)
  }
}

/// A header of a message; `nil` if the message does not have it.
func header(_ name: String, of message: OpaquePointer) -> String? {
  var text: UnsafePointer<CChar>?
  guard natsMsgHeader_Get(message, name, &text) == NATS_OK, let text else { return nil }
  return String(cString: text)
}

/// The bytes of a message.
func payload(of message: OpaquePointer) -> [UInt8] {
  guard let data = natsMsg_GetData(message) else { return [] }
  let bytes = UnsafeRawBufferPointer(start: data, count: Int(natsMsg_GetDataLength(message)))
  return [UInt8](bytes)
}
#endif
