import Foundation

/// How many files this process may open.
///
/// Each connection is one.
enum OpenFiles {
  /// What else is open: the other port, the board, and what runs the program.
  private static let others = 100

  /// Raises the limit so that there may be some connections.
  ///
  /// Where files run out, the lists that read files would end, and the server with them.
  static func allow(connections: Int) throws(ArgumentFault) {
    #if os(Linux)
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    let resource = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    let needed = rlim_t(connections + others)
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < needed else { return }
    let allowed = limit.rlim_max
    limit.rlim_cur = needed
    guard needed > allowed || setrlimit(resource, &limit) != 0 else { return }
    throw ArgumentFault(
      "\(connections) connections need \(needed) open files, and the system allows \(allowed). "
        + "Raise that with ulimit -n, or choose fewer with --connections")
  }
}
