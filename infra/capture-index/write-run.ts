import type { LineBatches, WrittenRun } from '../../src/ports/capture-index.ts'
import type { IndexJob } from './jobs.ts'
import { deleteRun } from './run-files.ts'
import { maxParts, partName, type RunPart, runOfPart } from './run-parts.ts'
import type { IndexThreads } from './threads.ts'

/**
 * Sorts in memory up to a bound, and beyond it writes sorted parts that are merged. Who ends before it leaves parts that are swept
 * later.
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

/** Copies, so that who makes the batches may use their memory again. */
async function* gathered(batches: LineBatches, maxBytes: number): AsyncGenerator<Uint8Array> {
  let parts: Buffer[] = []
  let bytes = 0
  for await (const batch of batches) {
    const part = typeof batch === 'string' ? Buffer.from(batch) : Buffer.from(batch)
    if (bytes > 0 && bytes + part.length > maxBytes) {
      yield Buffer.concat(parts)
      parts = []
      bytes = 0
    }
    parts.push(part)
    bytes += part.length
  }
  if (bytes > 0) yield Buffer.concat(parts)
}
