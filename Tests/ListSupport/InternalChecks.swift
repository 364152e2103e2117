/// Whether every mutation checks all invariants.
package var checksInvariants: Bool {
  #if InternalChecks
  true
  #else
  false
  #endif
}
