internal import SystemHost

/// The machine that this process runs on.
package enum Machine {
  /// Its name, as its system has it: nothing is asked of a network, as Foundation does on macOS.
  package static let name = unsafe String(cString: sh_host_name())
}
