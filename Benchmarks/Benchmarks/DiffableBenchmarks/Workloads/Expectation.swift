import Foundation

/// What was computed is not what had to be.
struct WrongResult: Error {
  let expectation: String
}

/// Makes a benchmark fail whose result is wrong: a figure for it would mean nothing.
func expect(_ condition: Bool, _ expectation: String) throws {
  guard condition else {
    // The benchmark tool says so, too, but not where the program is run without it.
    FileHandle.standardError.write(Data("Wrong result: not true that \(expectation)\n".utf8))
    throw WrongResult(expectation: expectation)
  }
}
