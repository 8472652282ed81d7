internal import ExampleSupport

let values = ServerCommand.command.valuesOrExit()
do throws(ExampleError) {
  leave(try await ServerCommand.run(values))
} catch {
  error.leave(program: "enrollment-server")
}
