internal import CheckIn
internal import ExampleSupport

let values = DemoCommand.command.valuesOrExit()
do throws(ExampleError) {
  leave(try await Story(values).tell())
} catch {
  error.leave(program: "demo")
}
