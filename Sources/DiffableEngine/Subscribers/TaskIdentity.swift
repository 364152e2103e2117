/// Tells tasks apart, also from those that have ended.
///
/// A task has no name that lasts: when it ends, the next one may get its address, and with that the hash
/// and the equality of its `UnsafeCurrentTask`. The runtime counts tasks, though, and never uses a number
/// twice: it prints them in the descriptions of jobs.
package struct TaskIdentity: Hashable, Sendable {
  let number: UInt64

  init(number: UInt64) { self.number = number }

  /// The identity of the running task; `nil` outside of tasks.
  package static var current: TaskIdentity? {
    withUnsafeCurrentTask { task in
      // An `UnsafeCurrentTask` is the reference to the task, and it is valid here, as the task runs.
      task.map { TaskIdentity(number: runtimeNumber(unsafeBitCast($0, to: UnsafeRawPointer.self))) }
    }
  }
}

/// `uint64_t swift_task_getJobTaskId(Job *)` of the runtime, for the job of a task.
@_silgen_name("swift_task_getJobTaskId")
private func runtimeNumber(_ task: UnsafeRawPointer) -> UInt64
