import type { IndexJob, IndexThreads } from './jobs.ts'
import { deleteRun } from './run-files.ts'
import { maxParts, partName, type RunPart, runOfPart } from './run-parts.ts'
import type { LineBatches, WrittenRun } from './types.ts'

/**
 * Sorts in memory up to a bound, and beyond it merges sorted parts. A process that ends before leaves parts,
 * which are swept later.
 */
export const writeRun = async (
  folder: string,
  threads: IndexThreads,
  batches: LineBatches,
  maxSortBytes: number,
): Promise<WrittenRun> => {
  let parts: RunPart[] = []
  const write = async (job: IndexJob & { readonly name: string }) => {
    const result = await threads.run(job)
    if (result.kind !== 'written') throw new Error('the thread did another job')
    parts.push({ name: job.name, body: result.body })
  }
  const join = async () => {
    const joined = parts.map(({ name }) => name)
    await write({ kind: 'join', folder, parts: joined, name: partName() })
    parts = parts.slice(joined.length)
    for (const name of joined) deleteRun(folder, name)
  }

  try {
    for await (const batch of gathered(batches, maxSortBytes)) {
      await write({ kind: 'sort', folder, batch, name: partName() })
      if (parts.length === maxParts) await join()
    }
    if (parts.length > 1) await join()
    if (parts.length === 0) await write({ kind: 'sort', folder, batch: new Uint8Array(), name: partName() })
    return runOfPart(folder, parts[0]!)
  } catch (error) {
    for (const { name } of parts) deleteRun(folder, name)
    throw error
  }
}

/**
 * Gathers batches in memory that threads share, and reuses it for each: copies for them would waste hundreds
 * of megabytes. So each must be used up before the next is requested.
 */
async function* gathered(batches: LineBatches, maxBytes: number): AsyncGenerator<Uint8Array> {
  let held = shared(firstBytes)
  let used = 0
  for await (const batch of batches) {
    const bytes = Buffer.byteLength(batch)
    if (used > 0 && used + bytes > maxBytes) {
      yield held.subarray(0, used)
      used = 0
    }
    if (used + bytes > held.length) {
      const larger = shared(Math.max(used + bytes, Math.min(held.length * 2, maxBytes)))
      held.copy(larger, 0, 0, used)
      held = larger
    }
    if (typeof batch === 'string') held.write(batch, used)
    else held.set(batch, used)
    used += bytes
  }
  if (used > 0) yield held.subarray(0, used)
}

const firstBytes = 64 * 1024

const shared = (bytes: number): Buffer => Buffer.from(new SharedArrayBuffer(bytes))
