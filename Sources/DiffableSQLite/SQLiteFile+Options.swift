#if SQLite
extension SQLiteFile {
  /// How safe writes are, and how long calls wait.
  public struct Options: Hashable, Sendable {
    /// When a write counts as done.
    public var synchronous = Synchronous.full
    /// How long a call waits while other processes keep the file locked.
    public var timeout = Duration.seconds(5)
    /// How often waiting readers look whether another process has written.
    ///
    /// A look reads a number from shared memory, and sees whether the file is still where it was. Inside the
    /// process, readers are woken at once. Less than a millisecond counts as one, and more than a second too.
    public var lookInterval = Duration.milliseconds(5)

    /// Creates options with which no acknowledged write is lost.
    public init() {}
  }

  /// When a write counts as done.
  public enum Synchronous: Hashable, Sendable {
    /// When it is on the disk.
    ///
    /// An acknowledged write survives a loss of power.
    case full
    /// When the operating system has it.
    ///
    /// An acknowledged write survives the end of the process. If the machine loses power or crashes, the
    /// last writes can be lost, as many as were made since the last checkpoint, which are up to about
    /// 4 MB. The file stays whole, and the list is what it was at an earlier revision. Clients that show
    /// a lost revision start from scratch.
    case normal
  }
}
#endif
