import { ByteWindow } from './bytes/byte-window.ts'
import type { Container } from './bytes/container.ts'
import { createGzipContainer } from './bytes/gzip-container.ts'
import { createInflater, type Inflater } from './bytes/inflater.ts'
import { createPlainContainer } from './bytes/plain-container.ts'
import { createZstdContainer } from './bytes/zstd-container.ts'
import { UnreadableArchive } from './read-failure.ts'
import { createArcFormat } from './records/arc.ts'
import { beginsArc, maxArcLine } from './records/arc-line.ts'
import { skipEmptyLines } from './records/head.ts'
import type { RecordFormat } from './records/record.ts'
import { createWarcFormat } from './records/warc.ts'
import type { Source } from './source.ts'

/** Bytes of the file in memory. */
const capacity = 1024 * 1024

/** Bytes of empty lines before the first record. */
const maxEmptyBytes = 64

interface OpenContainer {
  readonly container: Container
  readonly format: RecordFormat
  /** The suffix that fits the content: `.warc.gz`, `.warc.zst`, `.warc`, `.arc.gz` or `.arc`. */
  readonly suffix: string
}

/** Opens a file at its first record. Throws `UnreadableArchive`. */
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
  const packing = packingOf(file.latin1(file.start, Math.min(file.end, file.start + 4)))
  const container =
    packing === 'gzip'
      ? createGzipContainer(file, inflater)
      : packing === 'zstd'
        ? createZstdContainer(file, inflater)
        : createPlainContainer(source, file)
  if (!container.next())
    throw new UnreadableArchive('empty', 'the file holds no record, only empty members or frames')
  const { window } = container
  // The record begins behind empty lines, where nothing is compressed.
  if (skipEmptyLines(window, maxEmptyBytes) > 0 && packing === 'none') container.next()
  window.has(maxArcLine)
  const begin = window.latin1(window.start, Math.min(window.end, window.start + maxArcLine))
  const suffix = suffixes[packing]
  if (begin.startsWith('WARC/'))
    return { container, format: createWarcFormat(container), suffix: `.warc${suffix}` }
  if (beginsArc(begin)) return { container, format: createArcFormat(container), suffix: `.arc${suffix}` }
  throw new UnreadableArchive(
    'not-an-archive',
    `${packing === 'none' ? 'it' : `it is ${packing}, but within it`} begins with ${what(begin)}, as no WARC or ARC file does`,
    0,
  )
}

/**
 * Identifies a WARC or ARC file by its first record. Returns the suffix that fits the content: `.warc.gz`,
 * `.warc.zst`, `.warc`, `.arc.gz` or `.arc`. Throws `UnreadableArchive` if it is none.
 */
export const identify = (source: Source): string => {
  const inflater = createInflater()
  try {
    return openContainer(source, inflater).suffix
  } finally {
    inflater.close()
  }
}

/** Compression of records, each by itself. */
export type Packing = 'none' | 'gzip' | 'zstd'

const suffixes: Readonly<Record<Packing, string>> = { none: '', gzip: '.gz', zstd: '.zst' }

/** Detects the compression by the first four bytes of a file, as Latin-1. */
export const packingOf = (begin: string): Packing =>
  begin.startsWith('\x1f\x8b')
    ? 'gzip'
    : begin === '\x28\xb5\x2f\xfd' || begin === '\x5d\x2a\x4d\x18'
      ? 'zstd'
      : 'none'

const what = (begin: string): string =>
  signatures.find(([signature]) => begin.startsWith(signature))?.[1] ?? 'other bytes'

const signatures: readonly (readonly [string, string])[] = [
  ['PK', 'the signature of a zip'],
  ['<', 'a tag, as HTML and XML do'],
]
