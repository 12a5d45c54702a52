import { makeFolderSync } from '@fonds/toolbox/disk'
import { runJob } from './jobs.ts'
import { maxLineBytes } from './limits.ts'
import { deleteRun } from './run-files.ts'
import { maxParts, partName, type RunPart, runOfPart } from './run-parts.ts'
import type { RunWriter } from './types.ts'

/** Bytes of lines that are sorted in memory. */
const defaultSortBytes = 16 * 1024 ** 2

/**
 * Writes one run in the calling thread. Lines are sorted in memory up to `maxSortBytes`. Writes nothing
 * before there are any.
 */
export const openRunWriter = (folder: string, maxSortBytes = defaultSortBytes): RunWriter => {
  let held = Buffer.allocUnsafeSlow(64 * 1024)
  let used = 0
  let parts: RunPart[] = []

  const write = (job: Parameters<typeof runJob>[0] & { readonly name: string }): void => {
    const result = runJob(job)
    if (result.kind === 'written') parts.push({ name: job.name, body: result.body })
  }
  const putAside = (): void => {
    makeFolderSync(folder)
    write({ kind: 'sort', folder, batch: held.subarray(0, used), name: partName() })
    used = 0
    if (parts.length === maxParts) join()
  }
  const join = (): void => {
    const joined = parts.map(({ name }) => name)
    write({ kind: 'join', folder, parts: joined, name: partName() })
    parts = parts.slice(joined.length)
    for (const name of joined) deleteRun(folder, name)
  }
  const makeRoom = (bytes: number): void => {
    if (used > 0 && used + bytes > maxSortBytes) putAside()
    if (used + bytes <= held.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(used + bytes, held.length * 2))
    held.copy(larger, 0, 0, used)
    held = larger
  }

  return {
    add: (line) => {
      // A character has three bytes at most, and mostly one, so that they are rarely counted.
      if (used + line.length * 3 + 1 > held.length || line.length > maxLineBytes)
        makeRoom(Buffer.byteLength(line) + 1)
      used += held.write(line, used)
      held[used++] = 10
    },
    end: () => {
      if (used > 0 || parts.length === 0) putAside()
      if (parts.length > 1) join()
      const run = runOfPart(folder, parts[0]!)
      parts = []
      return run
    },
    discard: () => {
      used = 0
      for (const { name } of parts.splice(0)) deleteRun(folder, name)
    },
  }
}
