import { ByteWindow } from './bytes/byte-window.ts'
import type { Container } from './bytes/container.ts'
import { createGzipContainer } from './bytes/gzip-container.ts'
import type { Inflater } from './bytes/inflater.ts'
import { createPlainContainer } from './bytes/plain-container.ts'
import { UnreadableArchive } from './read-failure.ts'
import { createArcFormat } from './records/arc.ts'
import type { RecordFormat } from './records/record.ts'
import { createWarcFormat } from './records/warc.ts'
import type { Source } from './source.ts'

/** Bytes of the file in memory. */
const capacity = 1024 * 1024

interface OpenContainer {
  readonly container: Container
  readonly format: RecordFormat
  /** What it is, whatever its name says: `.warc.gz`, `.warc`, `.arc.gz` or `.arc`. */
  readonly suffix: string
}

/** At its first record. Throws `UnreadableArchive`. */
export const openContainer = (source: Source, inflater: Inflater): OpenContainer => {
  if (source.size === 0) throw new UnreadableArchive('empty', 'the file is empty')
  const file = new ByteWindow(capacity, (into, from, to, position) => {
    const length = Math.min(to - from, source.size - position)
    if (length <= 0) return 0
    const read = source.read(position, into.subarray(from, from + length))
    if (read === 0) throw new UnreadableArchive('growing', 'the file became shorter while it was read')
    return read
  })
  file.has(10)
  const isGzip = file.bytes[0] === 0x1f && file.available > 1 && file.bytes[1] === 0x8b
  const container = isGzip ? createGzipContainer(file, inflater) : createPlainContainer(source, file)
  if (!container.next())
    throw new UnreadableArchive('empty', 'the file holds no record, only empty gzip members')
  const { window } = container
  window.has(9)
  const begin = window.latin1(window.start, Math.min(window.end, window.start + 9))
  const gz = isGzip ? '.gz' : ''
  if (begin.startsWith('WARC/'))
    return { container, format: createWarcFormat(container), suffix: `.warc${gz}` }
  if (/^filedesc:/i.test(begin)) return { container, format: createArcFormat(container), suffix: `.arc${gz}` }
  throw new UnreadableArchive(
    'not-an-archive',
    `${isGzip ? 'it is gzip, but within it' : 'it'} begins with ${what(begin)}, as no WARC or ARC file does`,
    0,
  )
}

const what = (begin: string): string =>
  signatures.find(([signature]) => begin.startsWith(signature))?.[1] ?? JSON.stringify(begin)

const signatures: readonly (readonly [string, string])[] = [
  ['PK', 'the signature of a zip'],
  ['<', 'a tag, as HTML and XML do'],
  ['\x28\xb5\x2f\xfd', zstandard()],
  ['\x5d\x2a\x4d\x18', zstandard()],
]

function zstandard(): string {
  return 'the signature of Zstandard (unpack it with `zstd -d`, and compress each record with gzip)'
}
