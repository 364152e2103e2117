import Diffable
import Foundation

/// Takes lines one after the other: deltas, errors of `livelist stream`, and white space.
struct FollowSession {
  /// What becomes of a line.
  enum Answer: Equatable {
    case nothing
    /// The list after a delta, with a line feed at the end of each line.
    case list(String)
    /// What is wrong.
    case fault(String)
  }

  private let options: FollowOptions
  private var list = FollowedList<String, String>()
  private(set) var lineNumber = 0
  /// Whether any line was not taken.
  private(set) var hasFailed = false

  init(options: FollowOptions) {
    self.options = options
  }

  /// What becomes of the next line, without its line feed.
  mutating func take(_ line: ArraySlice<UInt8>) -> Answer {
    lineNumber += 1
    guard !line.allSatisfy(isJSONSpace) else { return .nothing }
    do throws(DeltaError) {
      let delta = try UpdateDelta<String, String>.read(line) { line in
        // The decoder would guess at UTF-16 and UTF-32, and repair what is not UTF-8.
        guard line.isValidUTF8 else { throw DeltaError.undecodable(reason: "it is not UTF-8") }
        return try JSONDecoder().decode(UpdateDelta.self, from: Data(line))
      }
      let batch = try list.apply(delta)
      return .list(ListPicture(of: batch, rows: options.rows).text)
    } catch {
      hasFailed = true
      if case .undecodable = error, let message = StreamError.message(in: line) {
        return .fault(message)
      }
      return .fault(error.description)
    }
  }
}

/// A line of `livelist stream` that says what was wrong with one of its own.
private struct StreamError: Decodable {
  let line: Int
  let error: String
  let message: String

  static func message(in line: ArraySlice<UInt8>) -> String? {
    guard let error = try? JSONDecoder().decode(StreamError.self, from: Data(line)) else {
      return nil
    }
    return "the stream had an error in its line \(error.line): \(error.message)"
  }
}
