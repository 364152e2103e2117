/// Models that a stage hands on, beside each other in memory.
///
/// It may be shared between threads: it is written to before anybody else has it, and only read
/// afterwards. Models are `Sendable`, or there is no kernel for them.
final class RowModelBuffer: @unchecked Sendable {
  let kernel: ElementKernel
  private(set) var count = 0
  private let memory: UnsafeMutableRawPointer

  init(_ kernel: ElementKernel, capacity: Int) {
    self.kernel = kernel
    memory = .allocate(
      byteCount: Swift.max(1, capacity &* kernel.stride), alignment: Swift.max(8, kernel.alignment))
  }

  deinit {
    kernel.destroy(memory, count: count)
    memory.deallocate()
  }

  /// Lets a function write one more model.
  ///
  /// There must be room for it, and nobody else may have the buffer yet.
  ///
  /// - Returns: Where it is, for as long as the buffer is held.
  @discardableResult
  func append(_ write: (UnsafeMutableRawPointer) -> Void) -> UnsafeRawPointer {
    let place = memory + count &* kernel.stride
    write(place)
    count += 1
    return UnsafeRawPointer(place)
  }

  /// Copies models from several places.
  ///
  /// There must be room for them, and nobody else may have the buffer yet.
  func append(_ models: [UnsafeRawPointer]) {
    kernel.gather(models, to: memory + count &* kernel.stride)
    count += models.count
  }

  /// The models as a section takes them.
  var models: RowModels {
    RowModels(kernel, count: count) { body in
      withExtendedLifetime(self) { body(self.count == 0 ? nil : UnsafeRawPointer(self.memory)) }
    }
  }
}
