import Diffable
import Foundation

/// An error in an input line.
enum LineFault: Error, Equatable {
  case invalidUTF8
  case invalidJSON
  /// JSON, but not a snapshot: what is wrong, and where.
  case malformedSnapshot(String)
  /// A snapshot that the data source rejects.
  case refused(SnapshotError)

  /// The value of `"error"`.
  var code: String {
    switch self {
    case .invalidUTF8: "invalidUTF8"
    case .invalidJSON: "invalidJSON"
    case .malformedSnapshot: "malformedSnapshot"
    case .refused(let error): error.code
    }
  }

  /// The value of `"identifiers"`.
  var identifiers: [String] {
    guard case .refused(let error) = self else { return [] }
    return error.identifiers.map(\.description)
  }

  /// The value of `"message"`.
  var message: String {
    switch self {
    case .invalidUTF8: "The line is not UTF-8. Nothing was changed."
    case .invalidJSON: "The line is not JSON. Nothing was changed."
    case .malformedSnapshot(let fault): "The line is not a snapshot: \(fault) Nothing was changed."
    case .refused(let error): error.description
    }
  }
}

extension LineFault {
  /// Converts an error of the decoder.
  init(decoding error: any Error) {
    switch error {
    case DecodingError.dataCorrupted(let context):
      if let error = context.underlyingError as? SnapshotError {
        self = .refused(error)
      } else if context.codingPath.isEmpty {
        self = .invalidJSON
      } else {
        let place = LineFault.place(context.codingPath)
        self = .malformedSnapshot("at \(place): \(context.debugDescription)")
      }
    case DecodingError.keyNotFound(let key, let context):
      self = .malformedSnapshot(
        "“\(key.stringValue)” is missing at \(LineFault.place(context.codingPath)).")
    case DecodingError.typeMismatch(_, let context),
      DecodingError.valueNotFound(_, let context):
      self = .malformedSnapshot(
        "the value at \(LineFault.place(context.codingPath)) has the wrong type.")
    default:
      self = .malformedSnapshot("\(error).")
    }
  }

  /// A place in a JSON text, such as `$.sections[0].items[1]`.
  private static func place(_ path: [any CodingKey]) -> String {
    path.reduce("$") { place, key in
      place + (key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)")
    }
  }
}
