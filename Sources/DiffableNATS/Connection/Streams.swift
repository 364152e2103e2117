#if NATS
import CNATS
import DiffableSync

/// Calls a function with a message of a stream; `nil` if the stream does not have the message.
func message<Result>(
  _ sequence: UInt64, of stream: String, _ context: OpaquePointer, wait: Int64,
  _ read: (OpaquePointer) -> Result
) throws(RevisionLogError) -> Result? {
  let what = "reading message \(sequence) of the stream \(stream)"
  var request = jsOptions()
  try check(jsOptions_Init(&request), what)
  request.Wait = wait
  var message: OpaquePointer?
  var code = jsErrCode(0)
  let status = js_GetMsg(&message, context, stream, sequence, &request, &code)
  defer { natsMsg_Destroy(message) }
  if code == JSNoMessageFoundErr || code == JSStreamNotFoundErr { return nil }
  try check(status, code: code, what)
  return message.map(read)
}

/// Makes a stream unless there is one of that name.
func addStream(
  _ context: OpaquePointer, _ name: String, subject: String, replicas: Int, wait: Int64,
  perSubject: Int64 = -1, description: String
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
    // If an operator limits the stream, it refuses new entries instead of dropping old ones.
    settings.Discard = js_DiscardNew
    settings.MaxMsgsPerSubject = perSubject
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
