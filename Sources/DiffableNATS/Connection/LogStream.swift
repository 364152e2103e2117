#if NATS
import CNATS
import Diffable
import DiffableSync
import Dispatch

/// The stream of a log.
///
/// Its functions block their thread.
///
/// The first message has the epoch. The stream takes it only while it is empty. So if several
/// participants make the log at once, one of them succeeds, and all read its epoch. The settings of the
/// stream could not hold the epoch: a cluster may accept different settings from each of them in turn.
///
/// Each entry has the epoch, too, and so has the stored state. So the log outlives the loss of its first
/// message.
struct LogStream {
  let context: OpaquePointer
  let names: StreamNames
  /// How long to wait for an answer, in milliseconds.
  let wait: Int64

  /// The epoch and the last sequence number; `nil` if the stream is empty or does not exist.
  ///
  /// - Parameter known: The epoch of a session that has the log open. It is trusted if the stream has
  ///   nothing that says another one, because somebody has deleted all messages.
  func info(known: Epoch? = nil) throws(RevisionLogError) -> (epoch: Epoch, last: UInt64)? {
    guard let last = try last(), last > 0 else { return nil }
    if let epoch = try epoch(inMessage: last) { return (epoch, last) }
    if let epoch = try epoch(inMessage: 1) { return (epoch, last) }
    if let epoch = try newestManifest(of: names, context, wait: wait)?.epoch {
      return (epoch, last)
    }
    if let known { return (known, last) }
    throw .rejected(
      reason: "the stream \(names.log) has nothing that tells which list it is: its messages were "
        + "deleted, and there is no stored state. A participant that has the list open stores its "
        + "state within half a minute. If there is none, the list is lost: delete the stream")
  }

  /// The epoch that a message has; `nil` if it has none, or does not exist.
  private func epoch(inMessage sequence: UInt64) throws(RevisionLogError) -> Epoch? {
    try message(sequence, of: names.log, context, wait: wait) { message -> Epoch? in
      if String(cString: natsMsg_GetSubject(message)) == names.epoch {
        return Epoch(String(decoding: payload(of: message), as: UTF8.self))
      }
      return header(Header.epoch, of: message).flatMap { Epoch($0) }
    } ?? nil
  }

  private func last() throws(RevisionLogError) -> UInt64? {
    let what = "asking for the stream \(names.log)"
    var request = jsOptions()
    try check(jsOptions_Init(&request), what)
    request.Wait = wait
    var info: UnsafeMutablePointer<jsStreamInfo>?
    var code = jsErrCode(0)
    let status = js_GetStreamInfo(&info, context, names.log, &request, &code)
    defer { jsStreamInfo_Destroy(info) }
    if code == JSStreamNotFoundErr { return nil }
    try check(status, code: code, what)
    guard let info = info?.pointee, let settings = info.Config?.pointee,
      settings.SubjectsLen == 1, let subject = settings.Subjects?[0],
      String(cString: subject) == names.inLog
    else {
      throw .rejected(
        reason: "the stream \(names.log) is not the log of a list. Choose another name for the list"
      )
    }
    return info.State.LastSeq
  }

  /// Makes the stream, and stores an epoch if it is empty.
  func make(replicas: Int) throws(RevisionLogError) {
    let what = "making the log \(names.log)"
    try addStream(
      context, names.log, subject: names.inLog, replicas: replicas, wait: wait,
      description: "Revisions of a list")
    let message = try made(what) { message in
      let text = Epoch().description
      return natsMsg_Create(message, names.epoch, nil, text, Int32(text.utf8.count))
    }
    defer { natsMsg_Destroy(message) }
    try check(natsMsgHeader_Set(message, Header.last, "0"), what)
    var settings = jsPubOptions()
    try check(jsPubOptions_Init(&settings), what)
    settings.MaxWait = wait
    var code = jsErrCode(0)
    let status = js_PublishMsg(nil, context, message, &settings, &code)
    if !code.isWrongLastSequence { try check(status, code: code, what) }
  }
}

/// The epoch of a log, which is made if it does not exist.
///
/// While a cluster makes a stream, it leaves some requests unanswered. So each request is repeated
/// after a second.
func openLog(
  _ context: OpaquePointer, names: StreamNames, replicas: Int, timeout: Int64
) throws(RevisionLogError) -> Epoch {
  let deadline = DispatchTime.now() + .milliseconds(Int(clamping: timeout))
  let stream = LogStream(context: context, names: names, wait: min(timeout, 1000))
  while true {
    do throws(RevisionLogError) {
      if let info = try stream.info() { return info.epoch }
      try stream.make(replicas: replicas)
    } catch {
      guard case .unavailable = error, DispatchTime.now() < deadline else { throw error }
    }
  }
}

extension Session {
  /// The last sequence number, if this is still the stream that was opened.
  ///
  /// Blocks its thread.
  func lastSequence() throws(RevisionLogError) -> UInt64 {
    let info = try context.with { context throws(RevisionLogError) in
      try LogStream(context: context, names: names, wait: timeout).info(known: epoch)
    }
    guard let info else { throw .streamWasDeleted(names.log) }
    guard info.epoch == epoch else { throw .logWasRemade }
    return info.last
  }
}

extension RevisionLogError {
  /// The sequence numbers of a new stream have nothing to do with those of the old one.
  static let logWasRemade = rejected(
    reason: "the log was deleted and made again, so open the list again")

  static func streamWasDeleted(_ name: String) -> RevisionLogError {
    .rejected(
      reason:
        "the stream \(name) was deleted, or has lost all that it had. Restore it from a backup, or "
        + "open the list again to begin with an empty one")
  }
}
#endif
