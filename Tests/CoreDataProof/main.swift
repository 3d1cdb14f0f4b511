// Asks Apple's Core Data about a store:
//
//   core-data read MODEL STORE      reads every object and follows every relationship
//   core-data save MODEL STORE      also validates each object, saves a change and its undoing
//   core-data migrate MODEL STORE   migrates the store to this model, by inference
//
// MODEL is a .mom or .momd. For `migrate` the store's own version lies next to this program.
// `--history` at the end says that the store keeps a history. The status is 3 when Core Data
// refuses to migrate, 1 when anything else is wrong. .ci/core-data compiles this, on macOS alone.

import Foundation

do {
  try Question(CommandLine.arguments).ask()
} catch {
  FileHandle.standardError.write(Data("core-data: \(error)\n".utf8))
  exit(error is Refusal ? 3 : 1)
}
