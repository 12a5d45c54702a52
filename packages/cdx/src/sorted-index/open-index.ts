import { existsSync } from 'node:fs'
import { makeFolderSync } from '@fonds/toolbox/disk'
import { closestLines } from './closest.ts'
import { withoutLines, writeIndexFiles } from './index-files.ts'
import { type IndexThreads, inThisThread } from './jobs.ts'
import { isFrozen } from './levels.ts'
import { lostLinesOf } from './losses.ts'
import type { WriterSettings } from './merges.ts'
import { createReader } from './reader.ts'
import { suspectFile } from './run-files.ts'
import type { MergeFiles, SortedIndex } from './types.ts'
import { writeRun } from './write-run.ts'
import { createWriter } from './writer.ts'
import { exportZipNum } from './zip-num.ts'

export interface SortedIndexOptions extends Partial<WriterSettings> {
  /** Runs the jobs that block for long; closed with the index. Default: `inThisThread`. */
  readonly threads?: IndexThreads
  /** Bytes of lines that are sorted in memory. Default: 32 MiB. */
  readonly maxSortBytes?: number
  /** Default: 256. */
  readonly maxOpenFiles?: number
  /** Bytes of blocks that are cached, as many of first lines, and a quarter as many of tables of origins. Default: 64 MiB. */
  readonly maxCacheBytes?: number
  /** Merges whole runs into plain files, such as GNU sort. Default: our own code. */
  readonly mergeFiles?: MergeFiles
}

const minutes = 60_000
const mebibyte = 1024 ** 2

/** The folder is made when something is written. Nothing is locked and no thread runs before it is needed. */
export const openIndex = (
  folder: string,
  {
    threads = inThisThread,
    maxSortBytes = 32 * mebibyte,
    maxOpenFiles = 256,
    maxCacheBytes = 64 * mebibyte,
    runsPerLevel = 10,
    maxInputs = 128,
    frozenBytes = 64 * 1024 * mebibyte,
    graceMillis = 10 * minutes,
    unpublishedMillis = 30 * 24 * 60 * minutes,
    now = Date.now,
    mergeFiles,
  }: SortedIndexOptions = {},
): SortedIndex => {
  const settings = { runsPerLevel, maxInputs, frozenBytes, graceMillis, unpublishedMillis, now }
  const reader = createReader(folder, { maxOpenFiles, maxCacheBytes })
  const writer = createWriter(folder, threads, settings, reader.isRead)

  return {
    write: async (lines) => {
      makeFolderSync(folder)
      return writeRun(folder, threads, lines, maxSortBytes)
    },
    change: writer.change,
    changeByHand: writer.changeByHand,
    writeFiles: (paths, options = {}) =>
      writer.whileStill((manifest) =>
        writeIndexFiles({ folder, paths, manifest, threads, mergeFiles, scanOf: reader.scanOf, ...options }),
      ),
    exportZipNum: async (into, name, { linesPerBlock, signal, onLines, leftOut } = {}) => {
      makeFolderSync(into)
      return exportZipNum(
        into,
        name,
        withoutLines(counted(reader.scan({}), signal, onLines), leftOut),
        linesPerBlock,
      )
    },
    position: async () => BigInt(reader.manifest().position),
    place: async () => {
      const { position, event } = reader.manifest()
      return { position: BigInt(position), ...(event && { event }) }
    },
    mergeDue: async (options = {}) => writer.mergeDue(options),
    scan: reader.scan,
    changed: reader.changed,
    closest: (wanted) => closestLines(reader.scan, wanted),
    runs: async () => {
      const { live, removed } = reader.manifest()
      const facts = (state: (typeof live)[number]) => {
        const { name, lines, bytes, sha256, first, last, level, files, bad = [] } = state
        const isSuspect = existsSync(suspectFile(folder, name))
        return { name, lines, bytes, sha256, first, last, level, files, badBlocks: bad.length, isSuspect }
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
