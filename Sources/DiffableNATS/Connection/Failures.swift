#if NATS
import CNATS
import Diffable

extension RevisionLogError {
  /// The error of a log for a status of the C library.
  ///
  /// A failure that may be temporary is ``unavailable(reason:)``.
  static func failure(
    _ status: natsStatus, code: jsErrCode = jsErrCode(0), text: String? = nil, _ what: String
  ) -> RevisionLogError {
    let text =
      text ?? natsStatus_GetText(status).map { String(cString: $0) } ?? "status \(status.rawValue)"
    let reason = "\(what): \(text)" + (code.rawValue == 0 ? "" : " (\(code.rawValue))")
    return isFinal(status, code) ? .rejected(reason: reason) : .unavailable(reason: reason)
  }

  private static func isFinal(_ status: natsStatus, _ code: jsErrCode) -> Bool {
    switch code {
    case JSAccountResourcesExceededErr, JSMaximumStreamsLimitErr, JSStorageResourcesExceededErr,
      JSStreamMessageExceedsMaximumErr, JSStreamNotFoundErr, JSStreamNotMatchErr,
      JSStreamReplicasNotSupportedErr, JSStreamSealedErr, JSStreamSubjectOverlapErr:
      return true
    default: break
    }
    switch status {
    case NATS_MAX_PAYLOAD, NATS_NOT_PERMITTED, NATS_CONNECTION_AUTH_FAILED, NATS_ADDRESS_MISSING,
      NATS_INVALID_ARG, NATS_INVALID_SUBJECT, NATS_NO_SERVER_SUPPORT,
      NATS_SECURE_CONNECTION_WANTED, NATS_SECURE_CONNECTION_REQUIRED:
      return true
    default: return false
    }
  }
}

/// Throws the error for a status of the C library, unless it is success.
func check(
  _ status: natsStatus, code: jsErrCode = jsErrCode(0), _ what: @autoclosure () -> String
) throws(RevisionLogError) {
  guard status != NATS_OK else { return }
  // If the server has answered, the library keeps its text for this thread.
  let text = code.rawValue == 0 ? nil : nats_GetLastError(nil).map { String(cString: $0) }
  throw .failure(status, code: code, text: text, what())
}

/// The object that a function of the C library returns in its first parameter.
func made(
  _ what: @autoclosure () -> String,
  by make: (UnsafeMutablePointer<OpaquePointer?>) -> natsStatus
) throws(RevisionLogError) -> OpaquePointer {
  var pointer: OpaquePointer?
  try check(make(&pointer), what())
  guard let pointer else { throw .unavailable(reason: "\(what()): nothing was made") }
  return pointer
}
#endif
