import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { isSystemError, oneByOne, recentCache } from '@fonds/toolbox'
import { makeFolder, sync } from '@fonds/toolbox/disk'

const folder = mkdtempSync(join(tmpdir(), 'toolbox-'))
const made = await makeFolder(join(folder, 'letters', '1821'))
console.log('topmost new folder:', basename(made ?? ''))

const file = join(folder, 'letters', '1821', 'may.txt')
writeFileSync(file, 'Dear Sir')
sync(file)

try {
  sync(`${file}.missing`)
} catch (error) {
  console.log('not there:', isSystemError(error, 'ENOENT'))
}

const lengths = recentCache<number>(1000)
lengths.set(file, 8)
console.log('kept:', lengths.get(file))

const inTurn = oneByOne()
await Promise.all(['first', 'second'].map((word) => inTurn(async () => console.log(word))))
rmSync(folder, { recursive: true })
