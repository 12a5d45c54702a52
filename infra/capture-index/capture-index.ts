import { diskReason } from '../../src/async/disk-reasons.ts'
import { makeFolderSync } from '../../src/async/make-folder.ts'
import { isSystemError } from '../../src/async/system-error.ts'
import { UnavailableError } from '../../src/async/unavailable.ts'
import type { CaptureIndex } from '../../src/ports/capture-index.ts'
import { closestLines } from './closest.ts'
import { writeIndexFiles } from './index-files.ts'
import { isFrozen } from './levels.ts'
import { lostLinesOf } from './losses.ts'
import { createReader } from './reader.ts'
import { createIndexThreads } from './threads.ts'
import { writeRun } from './write-run.ts'
import { createWriter, type WriterSettings } from './writer.ts'
import { exportZipNum } from './zip-num.ts'

interface CaptureIndexOptions extends Partial<WriterSettings> {
  readonly threads?: number
  /** Lines of one run that are sorted in memory. */
  readonly maxSortBytes?: number
  readonly maxOpenFiles?: number
  /** What merges runs into plain files: our own code, or GNU sort. */
  readonly sort?: 'own' | 'gnu'
  /** Of blocks that look-ups have read. */
  readonly maxCacheBytes?: number
}

const minutes = 60_000
const mebibyte = 1024 ** 2

/** The folder is made when something is written. Nothing is locked and no thread runs before it is needed. */
export const openCaptureIndex = (
  folder: string,
  {
    threads: threadCount = 2,
    maxSortBytes = 32 * mebibyte,
    maxOpenFiles = 256,
    maxCacheBytes = 64 * mebibyte,
    runsPerLevel = 10,
    maxInputs = 128,
    frozenBytes = 64 * 1024 * mebibyte,
    graceMillis = 10 * minutes,
    unpublishedMillis = 30 * 24 * 60 * minutes,
    now = Date.now,
    sort = 'own',
  }: CaptureIndexOptions = {},
): CaptureIndex => {
  const settings = { runsPerLevel, maxInputs, frozenBytes, graceMillis, unpublishedMillis, now }
  const threads = createIndexThreads(threadCount)
  const reader = createReader(folder, { maxOpenFiles, maxCacheBytes })
  const writer = createWriter(folder, threads, settings, reader.isRead)

  return {
    write: (lines) =>
      orUnavailable(async () => {
        makeFolderSync(folder)
        return writeRun(folder, threads, lines, maxSortBytes)
      }),
    change: (changes) => orUnavailable(() => writer.change(changes)),
    changeByHand: (changes) => orUnavailable(() => writer.changeByHand(changes)),
    writeFiles: (paths, options = {}) =>
      orUnavailable(() =>
        writer.whileStill((manifest) =>
          writeIndexFiles({ folder, paths, manifest, threads, sort, scanOf: reader.scanOf, ...options }),
        ),
      ),
    exportZipNum: (into, name, { linesPerBlock, signal, onLines } = {}) =>
      orUnavailable(() => {
        makeFolderSync(into)
        return exportZipNum(into, name, counted(reader.scan({}), signal, onLines), linesPerBlock)
      }),
    position: async () => BigInt(reader.manifest().position),
    place: async () => {
      const { position, event } = reader.manifest()
      return { position: BigInt(position), ...(event && { event }) }
    },
    mergeDue: (options = {}) => orUnavailable(() => writer.mergeDue(options)),
    scan: reader.scan,
    changed: reader.changed,
    closest: (wanted) => closestLines(reader.scan, wanted),
    runs: async () => {
      const { live, removed } = reader.manifest()
      const facts = (state: (typeof live)[number]) => {
        const { name, lines, bytes, sha256, first, last, level, files, bad = [] } = state
        return { name, lines, bytes, sha256, first, last, level, files, badBlocks: bad.length }
      }
      return [
        ...live.map((run) => ({
          ...facts(run),
          state: isFrozen(run, settings) ? ('frozen' as const) : ('live' as const),
        })),
        ...removed.map((run) => ({ ...facts(run), state: 'removed' as const })),
      ]
    },
    losses: async () => lostLinesOf(reader.manifest()),
    close: async () => {
      await writer.close()
      await threads.close()
      await reader.close()
    },
  }
}

/** What a disk refuses is tried again by whoever asked; all else is a bug, or bytes that are no lines. */
const orUnavailable = async <A>(work: () => Promise<A>): Promise<A> => {
  try {
    return await work()
  } catch (error) {
    if (!isSystemError(error)) throw error
    throw new UnavailableError(`the capture index cannot be written: ${diskReason(error) ?? error.message}`, {
      cause: error,
    })
  }
}

async function* counted(
  batches: AsyncIterable<readonly Uint8Array[]>,
  signal?: AbortSignal,
  onLines?: (lines: number) => void,
): AsyncGenerator<readonly Uint8Array[]> {
  for await (const batch of batches) {
    signal?.throwIfAborted()
    yield batch
    onLines?.(batch.length)
  }
}
