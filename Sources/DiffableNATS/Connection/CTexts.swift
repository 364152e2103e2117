#if NATS
/// Strings as C functions take them, valid while a closure runs.
func withCTexts<Result, Failure>(
  _ texts: [String], _ body: ([UnsafePointer<CChar>?]) throws(Failure) -> Result
) throws(Failure) -> Result {
  let bytes = texts.map { $0.utf8CString }
  let copies = bytes.map { bytes in
    let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count)
    _ = copy.initialize(from: bytes)
    return copy
  }
  defer { copies.forEach { $0.deallocate() } }
  return try body(copies.map { UnsafePointer($0.baseAddress) })
}
#endif
