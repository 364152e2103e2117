/// Why a loader has ended a load by itself although the backend answered.
public enum PageLoadError: Error, Hashable, Sendable {
  /// The backend has answered a refresh with this many pages in a row that have a cursor to more
  /// rows, but no row that the refresh does not have already.
  ///
  /// Nothing has changed in the list. ``PageLoader/retry()`` continues after the last of these pages;
  /// ``PageLoader/refresh()`` begins again.
  case noNewRows(pageCount: Int)
}

extension PageLoadError: CustomStringConvertible {
  /// What the backend has answered.
  public var description: String {
    switch self {
    case .noNewRows(let pageCount): "\(pageCount) pages in a row have a cursor and no new row"
    }
  }
}
