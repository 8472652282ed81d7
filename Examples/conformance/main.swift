internal import ExampleSupport

let values = ConformanceCommand.command.valuesOrExit()
do throws(ExampleError) {
  leave(try await ConformanceProgram(values).run())
} catch {
  error.leave(program: "conformance")
}
