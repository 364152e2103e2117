import Diffable

/// The tasks that wait until a revision of the followed source is on display.
@MainActor
final class DisplayWaiters {
  private typealias Waiter = CheckedContinuation<Bool, Never>
  private var waiting: [Int: (revision: Revision, waiter: Waiter)] = [:]
  private var count = 0

  /// Waits for a revision, or a later one.
  ///
  /// - Returns: Whether it is on display; `false` if the list has stopped following, or the task
  ///   was cancelled.
  func wait(for revision: Revision) async -> Bool {
    count += 1
    let number = count
    return await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        if Task.isCancelled {
          waiter.resume(returning: false)
        } else {
          waiting[number] = (revision, waiter)
        }
      }
    } onCancel: {
      Task { @MainActor [weak self] in
        self?.waiting.removeValue(forKey: number)?.waiter.resume(returning: false)
      }
    }
  }

  /// Resumes the tasks that wait for a revision or an earlier one.
  func didShow(_ revision: Revision) {
    for (number, waiting) in waiting where waiting.revision <= revision {
      self.waiting[number] = nil
      waiting.waiter.resume(returning: true)
    }
  }

  /// Resumes all tasks, since the list has stopped following.
  func end() {
    let all = waiting.values
    waiting = [:]
    for waiting in all { waiting.waiter.resume(returning: false) }
  }
}
