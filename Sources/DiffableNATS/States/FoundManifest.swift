#if NATS
import CNATS
import Diffable
import DiffableSync

/// A message of the stream of manifests.
struct FoundManifest {
  let sequence: UInt64
  /// The epoch of the log whose state it describes; `nil` if somebody else has written it.
  let epoch: Epoch?
  /// `nil` if it cannot be read.
  let manifest: Manifest?
}

/// The newest manifest of a list, of any epoch; `nil` if there is none.
func newestManifest(
  of names: StreamNames, _ context: OpaquePointer, wait: Int64
) throws(RevisionLogError) -> FoundManifest? {
  while true {
    let last = try lastSequence(of: names.states, context, wait: wait)
    guard last > 0 else { return nil }
    if let found = try manifest(last, of: names, context, wait: wait) { return found }
    // It has been replaced in the meantime, or somebody has deleted it.
    guard try lastSequence(of: names.states, context, wait: wait) != last else {
      return FoundManifest(sequence: last, epoch: nil, manifest: nil)
    }
  }
}

/// The manifest with a sequence number.
func manifest(
  _ sequence: UInt64, of names: StreamNames, _ context: OpaquePointer, wait: Int64
) throws(RevisionLogError) -> FoundManifest? {
  try message(sequence, of: names.states, context, wait: wait) { message in
    FoundManifest(
      sequence: sequence,
      epoch: names.epoch(ofManifest: String(cString: natsMsg_GetSubject(message))),
      manifest: Manifest(message))
  }
}

/// The last sequence number of a stream; 0 if the stream does not exist.
func lastSequence(
  of stream: String, _ context: OpaquePointer, wait: Int64
) throws(RevisionLogError) -> UInt64 {
  let what = "asking for the stream \(stream)"
  var request = jsOptions()
  try check(jsOptions_Init(&request), what)
  request.Wait = wait
  var info: UnsafeMutablePointer<jsStreamInfo>?
  var code = jsErrCode(0)
  let status = js_GetStreamInfo(&info, context, stream, &request, &code)
  defer { jsStreamInfo_Destroy(info) }
  if code == JSStreamNotFoundErr { return 0 }
  try check(status, code: code, what)
  return info?.pointee.State.LastSeq ?? 0
}
#endif
