#if NATS
import CNATS
public import Diffable
public import DiffableSync
import Dispatch
import Synchronization

extension NATSRevisionLog {
  /// Appends entries if the stream ends at a revision.
  ///
  /// They are one message: servers before version 2.12 cannot append several messages as a whole, and
  /// one message costs a server less than several. It has the name of the first write as its
  /// `Nats-Msg-Id`, and the expected last sequence number as a header. The server answers once most
  /// replicas have stored it. For two minutes the stream recognizes a message that it has already. A
  /// second call with the same entries returns what the first one would have returned.
  ///
  /// - Returns: Whether the entries make the next revisions.
  /// - Complexity: One request to the servers, and about three more if this log has not read so far.
  /// - Throws: `RevisionLogError.rejected(reason:)` if the entries are larger than a message may be,
  ///   which is 1 MiB by default, if storage is used up, if access is not allowed, or if the stream
  ///   was deleted. `RevisionLogError.notDone(reason:)` if nothing was sent: there is no connection, the
  ///   stream has no leader or ends before the revision, or the task was cancelled before.
  ///   `RevisionLogError.unavailable(reason:)` after ``Options/timeout``, when the connection is lost or the
  ///   task is cancelled before the answer, and when the server that answers has lost the end of the
  ///   stream. The entries may have been appended then.
  public func append(
    _ entries: [LogEntry], after revision: Revision
  ) async throws(RevisionLogError) -> Bool {
    guard revision.isOfLog, let first = entries.first?.id else {
      throw .rejected(reason: "\(entries.count) entries cannot follow \(revision) in a log")
    }
    let session: Session
    let last: LogPlace?
    do throws(RevisionLogError) {
      session = try await self.session()
      last = try await session.end(at: revision)
    } catch {
      throw error.ofNothingDone
    }
    guard let end = last else { return false }
    let answer = Answer<AppendOutcome>()
    session.sending.async { session.send(entries, first, after: end, to: answer) }
    switch try await answer.value() {
    case .appended:
      let made = LogPlace(sequence: end.sequence + 1, revision: end.revision + entries.count)
      session.places.add(made)
      return true
    case .notNext: return false
    case .noTaker:
      do throws(RevisionLogError) {
        try await Answer.made(on: session.reading) { () throws(RevisionLogError) in
          _ = try session.lastSequence()
        }
      } catch {
        throw error.ofNothingDone
      }
      throw .notDone(reason: "no server leads the stream \(name) at present")
    }
  }
}

extension Session {
  /// The last message, if it makes a revision; `nil` if the stream has gone on.
  fileprivate func end(at revision: Revision) async throws(RevisionLogError) -> LogPlace? {
    if let known = places[revision.number] { return known }
    return try await Answer.made(on: reading) { () throws(RevisionLogError) in
      guard let end = try self.end() else {
        throw .unavailable(reason: "nothing that is left in the stream tells its last revision")
      }
      guard end.revision >= revision.number else {
        throw .unavailable(
          reason: "the stream ends at revision \(end.revision), before \(revision.number)")
      }
      return end.revision == revision.number ? end : nil
    }
  }

  /// Sends entries.
  ///
  /// The answer comes later on a thread of the library.
  fileprivate func send(
    _ entries: [LogEntry], _ first: WriteID, after last: LogPlace,
    to answer: Answer<AppendOutcome>
  ) {
    guard answer.begin() else { return }
    var message: OpaquePointer?
    // If the library takes the message, it sets the variable to `nil` and destroys the message itself.
    defer { natsMsg_Destroy(message) }
    do throws(RevisionLogError) {
      // Without a connection, the library would keep the message and send it when there is one again.
      guard connection.with({ natsConnection_Status($0) }) == NATS_CONN_STATUS_CONNECTED else {
        throw .notDone(reason: "there is no connection to the servers")
      }
      let payload = AppendMessage.payload(of: entries)
      let limit = connection.with { natsConnection_GetMaxPayload($0) }
      // A server closes the connection if a client sends more.
      guard Int64(payload.count) + Header.largestSize <= limit else {
        throw .rejected(
          reason:
            "an append of \(payload.count) bytes is larger than a message, of \(limit). Make "
            + "the change in several writes, or raise “max_payload” of the servers")
      }
      message = try self.message(payload, first, after: last)
    } catch {
      return answer.give(.failure(error.ofNothingDone))
    }
    guard let sent = message else { return }
    appends.add(answer, to: first, for: sent, toMake: last.sequence + 1)
    let status = context.with { js_PublishMsgAsync($0, &message, nil) }
    if status == NATS_OK {
      hasSent.store(true, ordering: .relaxed)
    } else {
      appends.failed(sent, status)
    }
  }

  private func message(
    _ payload: [UInt8], _ first: WriteID, after last: LogPlace
  ) throws(RevisionLogError) -> OpaquePointer {
    let what = "preparing an append"
    let message = try made(what) { message in
      payload.withUnsafeBytes {
        natsMsg_Create(
          message, names.entries, nil, $0.baseAddress?.assumingMemoryBound(to: CChar.self),
          Int32(clamping: $0.count))
      }
    }
    do throws(RevisionLogError) {
      try check(natsMsgHeader_Set(message, Header.id, first.description), what)
      try check(natsMsgHeader_Set(message, Header.last, String(last.sequence)), what)
      try check(natsMsgHeader_Set(message, Header.epoch, epoch.description), what)
      try check(natsMsgHeader_Set(message, Header.base, String(last.revision)), what)
      return message
    } catch {
      natsMsg_Destroy(message)
      throw error
    }
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
