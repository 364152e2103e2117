import Foundation

/// What a probe has measured, several times over.
struct Figure: Encodable {
  /// Subject, workload, size and who, as benchmarks are named.
  let name: String
  let unit: Unit
  let values: [Double]

  enum Unit: String, Encodable {
    case seconds, bytes
    /// A ratio of two figures of the same kind.
    case times
  }

  /// Writes a line of JSON to standard output.
  func print() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    FileHandle.standardOutput.write(try encoder.encode(self) + Data("\n".utf8))
  }
}

/// The processor time that this process has used, in seconds.
///
/// Unlike a clock on the wall it stands still while the machine does something else.
func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

extension [Double] {
  /// The value in the middle; `nil` if there is none.
  var median: Double? {
    isEmpty ? nil : sorted()[count / 2]
  }
}
