import Foundation

/// Ends the program, loudly, where its figures would say nothing, unless it is run for its results only.
func refuseCheckedBuilds() {
  #if InternalChecks
  let complaint = "the library was built with InternalChecks: every edit checks every invariant"
  #elseif DEBUG
  let complaint = "this is a debug build"
  #else
  let complaint: String? = nil
  #endif
  guard let complaint = complaint as String? else { return }
  let line = String(repeating: "!", count: 80)
  FileHandle.standardError.write(
    Data("\(line)\nNothing is measured: \(complaint).\n\(line)\n".utf8))
  guard ProcessInfo.processInfo.environment["BENCHMARK_RESULTS_ONLY"] == nil else { return }
  exit(1)
}
