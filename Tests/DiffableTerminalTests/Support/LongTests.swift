import Foundation

/// Whether `DIFFABLE_LONG_TESTS=1` is set: exhaustive suites have larger scopes then.
let isLong = ProcessInfo.processInfo.environment["DIFFABLE_LONG_TESTS"] == "1"

/// How many times as many rounds the random suites have as in a usual run.
let effort = isLong ? 10 : 1
