internal import ExampleSupport

let values = ConformanceCommand.command.valuesOrExit()
do throws(ExampleError) {
  try await ConformanceProgram(values).run().leave()
} catch {
  error.leave(program: "conformance")
}
