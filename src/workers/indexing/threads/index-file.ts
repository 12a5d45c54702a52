import * as E from 'fp-ts/lib/Either.js'
import { formatLine } from '../../../domain/indexing/cdx/format-line.ts'
import type { LinesWritten } from '../lines/line-writer.ts'
import { createSortedLines } from '../lines/sorted-lines.ts'
import { readArchive } from '../reader/read-archive.ts'
import type { IndexJob, IndexOutcome } from './messages.ts'

/** The lines of one file, in a file of their own: all of them, or none and no file (W16). Throws what `breathe` and the disk do. */
export const indexFile = async (
  { path, name, fileKind, into, format }: Extract<IndexJob, { kind: 'index' }>,
  breathe: () => Promise<void>,
): Promise<IndexOutcome> => {
  const sorted = createSortedLines(into)
  let written: LinesWritten | undefined
  const read = await readArchive(
    path,
    { name, kind: fileKind },
    {
      add: (capture) => sorted.add(formatLine(format, capture)),
      keep: () => {
        written = sorted.end()
      },
      discard: sorted.discard,
    },
    breathe,
  )
  if (E.isLeft(read)) return { status: 'unreadable', failure: read.left }
  if (!written) return { status: 'broken', reason: 'the reader kept no lines' }
  const { records, size, modifiedAt, warnings } = read.right
  return { status: 'written', ...written, records, size, modifiedAt: modifiedAt.toISOString(), warnings }
}
