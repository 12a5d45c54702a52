import { readFileSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import { readArchive } from '../src/workers/indexing/captures/read-archive.ts'

/* Reads an archive file of one capture, or an empty one, and prints the peak of this process's resident memory, in bytes: as Linux knows it. */

const read = await readArchive(
  process.argv[2] ?? '',
  { name: 'bench.warc.gz', kind: 'content' },
  { add: () => {}, keep: () => {}, discard: () => {} },
)
if (E.isLeft(read) ? read.left.code !== 'empty' : read.right.captures !== 1)
  throw new Error(JSON.stringify(read))
// The system's own maxRSS begins with what the parent had.
const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
console.log(Number(kilobytes) * 1024)
