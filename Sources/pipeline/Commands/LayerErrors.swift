import CoreDataStore

// How errors of the layers below end the program.

extension StoreError: ReportableError {
  var status: ExitStatus { ExitStatus(rawValue: category.status) ?? .unusable }

  var problems: [Problem] { [Problem("\(what): \(subject)\n\(why)", hint: remedy)] }
}

extension ModelError: ReportableError {
  var status: ExitStatus { isRefusal ? .refused : .unusable }

  var problems: [Problem] { [Problem("\(what): \(subject)\n\(why)", hint: remedy)] }
}
