import { formatLine } from '@fonds/cdx'
import * as E from 'fp-ts/lib/Either.js'
import type { OpenRunWriter, WrittenRun } from '../../../ports/capture-index.ts'
import { readArchive, salvageArchive } from '../captures/read-archive.ts'
import { openStream } from '../streams/open-stream.ts'
import type { IndexJob, IndexOutcome } from './messages.ts'

/**
 * Writes the lines of one file as a run of its own: all of them, or none and no run (W16). Throws what `breathe` and
 * the disk throw. `onWait` is called now and then while bytes of a server are waited for.
 */
export const indexFile = async (
  { file, name, fileKind, salvages, runs, format, requestKeys }: Extract<IndexJob, { kind: 'index' }>,
  openRunWriter: OpenRunWriter,
  breathe: () => Promise<void>,
  onWait: () => void,
): Promise<IndexOutcome> => {
  const writer = openRunWriter(runs)
  let run: WrittenRun | undefined
  const reading: typeof salvageArchive = salvages ? salvageArchive : readArchive
  const read = await reading(
    typeof file === 'string' ? file : openStream(file, onWait),
    { name, kind: fileKind, ...(requestKeys && { hasRequests: true }) },
    {
      add: (capture) => writer.add(formatLine(format, capture)),
      keep: () => {
        run = writer.end()
      },
      discard: writer.discard,
    },
    breathe,
  )
  if (E.isLeft(read)) return { status: 'unreadable', failure: read.left }
  if (!run) return { status: 'broken', reason: 'the reader kept no lines' }
  const { records, size, modifiedAt, warnings, loss } = read.right
  const odd = { warnings, ...(loss && { loss }) }
  return { status: 'written', run, records, size, modifiedAt: modifiedAt.toISOString(), ...odd }
}
