import Diffable
import DiffableSync
import Foundation

/// Processes lines one after another: deltas, errors of `livelist stream`, and white space.
struct FollowSession {
  /// The result of a line.
  enum Answer: Equatable {
    case nothing
    /// The list after a delta, with a line feed at the end of each line.
    case list(String)
    /// The error in the line.
    case fault(String)
  }

  private let rows: Int
  private let mirror = MirrorSource<UpdateBatch<String, String>>()
  private var batches: AsyncStream<UpdateBatch<String, String>>.Iterator
  private(set) var lineNumber = 0
  /// Whether any line was rejected.
  private(set) var hasFailed = false

  init(rows: Int) {
    self.rows = rows
    batches = mirror.updates().makeAsyncIterator()
  }

  /// The result of the next line, given without its line feed.
  nonisolated(nonsending) mutating func take(_ line: ArraySlice<UInt8>) async -> Answer {
    lineNumber += 1
    guard !line.allSatisfy(isJSONSpace) else { return .nothing }
    do throws(DeltaError) {
      let before = await mirror.revision
      let revision = try await mirror.apply(line) { line in
        // The decoder would guess UTF-16 and UTF-32, and repair invalid UTF-8.
        guard line.isValidUTF8 else { throw DeltaError.undecodable(reason: "it is not UTF-8") }
        return try JSONDecoder().decode(UpdateDelta.self, from: Data(line))
      }
      guard revision > before, let batch = await batches.next(isolation: #isolation) else {
        return .nothing
      }
      return .list(ListPicture(of: batch, rows: rows).text)
    } catch {
      hasFailed = true
      if case .undecodable = error, let message = StreamError.message(in: line) {
        return .fault(message)
      }
      return .fault(error.description)
    }
  }
}

/// An error line of `livelist stream`.
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
