#if NATS
import CNATS
import Diffable
import Dispatch

extension RevisionLogError {
  /// Sequence numbers of the new stream say nothing about those of the old one.
  static let logWasRemade = rejected(reason: "the log was deleted and made again")
}

/// What a server says of the stream of a log.
struct LogStream {
  var epoch: Epoch
  var first: UInt64
  var last: UInt64

  /// What is known of the stream; `nil` if there is none.
  static func info(
    _ context: OpaquePointer, names: StreamNames, wait: Int64
  ) throws(RevisionLogError) -> LogStream? {
    var request = jsOptions()
    try check(jsOptions_Init(&request), "asking for the stream \(names.log)")
    request.Wait = wait
    var info: UnsafeMutablePointer<jsStreamInfo>?
    var code = jsErrCode(0)
    let status = js_GetStreamInfo(&info, context, names.log, &request, &code)
    defer { jsStreamInfo_Destroy(info) }
    if code == JSStreamNotFoundErr { return nil }
    try check(status, code: code, "asking for the stream \(names.log)")
    guard let info = info?.pointee, let settings = info.Config?.pointee,
      settings.SubjectsLen == 1, let subject = settings.Subjects?[0],
      let epoch = names.epoch(ofEntries: String(cString: subject))
    else { throw .rejected(reason: "the stream \(names.log) is not the log of a list") }
    return LogStream(epoch: epoch, first: info.State.FirstSeq, last: info.State.LastSeq)
  }
}

extension Session {
  /// What is known of the stream.
  ///
  /// It must be the one that was opened. Blocks its thread.
  func logStream() throws(RevisionLogError) -> LogStream {
    let found = try context.with { context throws(RevisionLogError) in
      try LogStream.info(context, names: names, wait: timeout)
    }
    guard let found else { throw .rejected(reason: "the stream \(names.log) was deleted") }
    guard found.epoch == epoch else { throw .logWasRemade }
    return found
  }
}

/// The epoch of the stream of a log, which is made if there is none.
///
/// Of several who make it at once, one succeeds. All read which it was. A cluster does not answer some
/// of those who ask while it makes the stream, so each request is repeated after a second.
func openLog(
  _ context: OpaquePointer, names: StreamNames, replicas: Int, timeout: Int64
) throws(RevisionLogError) -> Epoch {
  let deadline = DispatchTime.now() + .milliseconds(Int(clamping: timeout))
  let wait = min(timeout, 1000)
  let epoch = Epoch()
  while true {
    do throws(RevisionLogError) {
      if let stream = try LogStream.info(context, names: names, wait: wait) { return stream.epoch }
      try addStream(
        context, names.log, subject: names.entries(of: epoch), replicas: replicas, wait: wait,
        description: "Revisions of a list, epoch \(epoch)")
    } catch {
      guard case .unavailable = error, DispatchTime.now() < deadline else { throw error }
    }
  }
}

/// Makes a stream unless there is one of that name.
func addStream(
  _ context: OpaquePointer, _ name: String, subject: String, replicas: Int, wait: Int64,
  keepsLastOnly: Bool = false, description: String
) throws(RevisionLogError) {
  let what = "making the stream \(name)"
  var code = jsErrCode(0)
  let status = try withCTexts([name, subject, description]) { texts throws(RevisionLogError) in
    var settings = jsStreamConfig()
    try check(jsStreamConfig_Init(&settings), what)
    settings.Name = texts[0]
    settings.Description = texts[2]
    settings.SubjectsLen = 1
    settings.Replicas = Int64(replicas)
    settings.Storage = js_FileStorage
    // An operator may limit the stream. Then it refuses entries, and does not drop old ones.
    settings.Discard = js_DiscardNew
    settings.MaxMsgsPerSubject = keepsLastOnly ? 1 : -1
    settings.AllowDirect = true
    settings.Duplicates = 120_000_000_000
    var request = jsOptions()
    try check(jsOptions_Init(&request), what)
    request.Wait = wait
    var subject = texts[1]
    return withUnsafeMutablePointer(to: &subject) { subjects in
      settings.Subjects = subjects
      return js_AddStream(nil, context, &settings, &request, &code)
    }
  }
  if code != JSStreamNameExistErr { try check(status, code: code, what) }
}
#endif
