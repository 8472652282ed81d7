internal import Foundation
internal import PictureMaking

// Writes a picture for the demonstration: MakePicture FILE WIDTH HEIGHT ORIENTATION SEED
let arguments = CommandLine.arguments
guard arguments.count == 6, let width = Int(arguments[2]), let height = Int(arguments[3]),
  let orientation = UInt8(arguments[4]), let seed = UInt64(arguments[5]), (64...8192).contains(width),
  (64...8192).contains(height)
else {
  FileHandle.standardError.write(Data("usage: MakePicture FILE WIDTH HEIGHT ORIENTATION SEED\n".utf8))
  exit(64)
}
let picture = TestPicture.jpeg(width: width, height: height, orientation: orientation, seed: seed)
do {
  try Data(picture).write(to: URL(filePath: arguments[1]))
} catch {
  FileHandle.standardError.write(Data("MakePicture: \(error)\n".utf8))
  exit(73)
}
