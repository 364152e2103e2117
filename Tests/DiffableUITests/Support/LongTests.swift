import Foundation

/// How many times as much the heavy suites do when `DIFFABLE_LONG_TESTS=1` is set.
let effort = ProcessInfo.processInfo.environment["DIFFABLE_LONG_TESTS"] == "1" ? 10 : 1
