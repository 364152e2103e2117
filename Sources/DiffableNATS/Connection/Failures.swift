#if NATS
import CNATS
import DiffableSync

extension RevisionLogError {
  /// The error of a log for a status of the C library.
  ///
  /// A failure that may be temporary is ``unavailable(reason:)``. Any other says what to do.
  static func failure(
    _ status: natsStatus, code: jsErrCode = jsErrCode(0), text: String? = nil, _ what: String
  ) -> RevisionLogError {
    let text =
      text ?? natsStatus_GetText(status).map { String(cString: $0) } ?? "status \(status.rawValue)"
    let reason = "\(what): \(text)" + (code.rawValue == 0 ? "" : " (\(code.rawValue))")
    guard let advice = advice(status, code, text) else {
      let hint = adviceIfItLasts(status, code)
      return .unavailable(reason: hint.map { "\(reason). If that lasts, \($0)" } ?? reason)
    }
    return .rejected(reason: advice.isEmpty ? reason : "\(reason). \(advice)")
  }

  /// What to do about a failure that may go away by itself, if it does not.
  private static func adviceIfItLasts(_ status: natsStatus, _ code: jsErrCode) -> String? {
    // A server that starts says so, too.
    if code == JSNotEnabledErr {
      return
        "enable JetStream. A server switches it off when its disk is full, until it starts again"
    }
    // A server that ends while a client connects looks the same.
    if status == NATS_PROTOCOL_ERROR {
      return
        "check the certificate of the option “encryption”: servers that demand one, or do not "
        + "accept it, hang up"
    }
    return nil
  }

  /// What to do about a failure that does not go away by itself; `nil` for one that may.
  private static func advice(_ status: natsStatus, _ code: jsErrCode, _ text: String) -> String? {
    switch code {
    case JSStreamStoreFailedErr where text.contains("no space"), JSInsufficientResourcesErr,
      JSMemoryResourcesExceededErr, JSStorageResourcesExceededErr:
      return "Free space on the disks of the servers, or raise “max_file_store”"
    case JSStreamStoreFailedErr where text.contains("maximum"):
      return
        "Raise the limits of the stream, or store states more often and keep fewer entries, see "
        + "ReplicationOptions"
    case JSAccountResourcesExceededErr: return "Raise the limits of the account"
    case JSMaximumStreamsLimitErr:
      return "A list needs three streams: raise the limit of the account"
    case JSStreamMessageExceedsMaximumErr:
      return "Make the change in several writes, or raise “max_msg_size” of the stream"
    case JSNotEnabledForAccountErr: return "Enable JetStream for the account"
    case JSStreamReplicasNotSupportedErr:
      return "There are fewer servers than replicas: see NATSRevisionLog.Options"
    case JSStreamSubjectOverlapErr: return "Another stream has the subjects of the list"
    case JSStreamSealedErr: return "The stream was sealed: copy it to another one"
    case JSStreamNotFoundErr, JSStreamNotMatchErr: return ""
    default: break
    }
    switch status {
    case NATS_CONNECTION_AUTH_FAILED:
      return "Check the credentials of the options, and when they expire"
    case NATS_NOT_PERMITTED:
      return "Give the user the permissions that the documentation of DiffableNATS lists"
    case NATS_SSL_ERROR, NATS_SECURE_CONNECTION_WANTED, NATS_SECURE_CONNECTION_REQUIRED:
      return
        "Check that the option “encryption” fits the servers, that the authorities are those of "
        + "their certificates, and that the certificates name the host and have not expired"
    case NATS_MAX_PAYLOAD:
      return "Make the change in several writes, or raise “max_payload” of the servers"
    case NATS_NO_SERVER_SUPPORT: return "The servers are too old"
    case NATS_ADDRESS_MISSING, NATS_INVALID_ARG, NATS_INVALID_SUBJECT: return ""
    default: return nil
    }
  }
}

/// Throws the error for a status of the C library, unless it is success.
func check(
  _ status: natsStatus, code: jsErrCode = jsErrCode(0), _ what: @autoclosure () -> String
) throws(RevisionLogError) {
  guard status != NATS_OK else { return }
  // If the server has answered, the library keeps its text for this thread.
  let text = code.rawValue == 0 ? nil : lastText()
  throw .failure(status, code: code, text: text, what())
}

/// What the C library says about the call of this thread that has just failed; `nil` if it says nothing.
///
/// - Parameter status: What the call has returned, if the text may be that of an earlier one: not all
///   functions of the library leave a text.
func lastText(_ status: natsStatus? = nil) -> String? {
  var last = NATS_OK
  guard let found = nats_GetLastError(&last), status == nil || last == status else { return nil }
  var text = String(cString: found)
  // It begins with a line of the library's code: “(conn.c:733): ”.
  if text.hasPrefix("("), let place = text.firstRange(of: "): ") {
    text.removeSubrange(..<place.upperBound)
  }
  return text.isEmpty ? nil : text
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
