import { checksumFile, isInvalid, parseChecksumLine } from '@fonds/bag'
import { checkBag } from '@fonds/bag/check'

const { problems, files, info } = await checkBag(process.argv[2] ?? '.')
console.log(`${files.length} files of ${info.get('Source-Organization')}, ${problems.length} problems`)
for (const problem of problems) console.log(`- ${problem}`)

const file = checksumFile('md5sum.txt')
for (const text of ['D41D8CD98F00B204E9800998ECF8427E  reel 1.tif', 'SHA256 (a.tif) = 12', 'hello']) {
  const line = file && parseChecksumLine(text, file)
  if (!line) continue
  if (isInvalid(line)) console.log(`the line ${line.error}`)
  else console.log(line.name, line.algorithm, line.isMalformed ? 'malformed' : line.value)
}
