#if canImport(Glibc)
private import Glibc
#elseif canImport(Musl)
private import Musl
#elseif canImport(Android)
private import Android
#elseif canImport(Darwin)
private import Darwin
#endif

/// Whether every mutation checks all invariants: always with the trait `InternalChecks`, and in a debug build
/// with the environment variable `DIFFABLE_CHECKS`.
///
/// The core has the same, which the layout does not import.
let checksInvariants: Bool = {
  #if InternalChecks
  true
  #elseif DEBUG && !os(Windows) && !os(WASI)
  getenv("DIFFABLE_CHECKS") != nil
  #else
  false
  #endif
}()
