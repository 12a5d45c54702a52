import type { BatchTask } from '../../../domain/fixity/check-task.ts'
import type { ContentObservation } from '../../../domain/fixity/messages.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { ContentStore } from '../../../ports/content-store.ts'
import { checkBatch } from '../../../workers/fixity/check-batch.ts'
import type { HashPool } from '../../../workers/fixity/hash-pool.ts'

/** Files that are read for the first time, together. */
export interface FirstReadings {
  readonly store: string
  readonly root: string
  readonly content: ContentStore
  readonly pool: HashPool
  readonly signal: AbortSignal
}

/** Files of one job, so that several threads have some. */
const filesOfJob = 50

/** Digests the bytes of files that nobody has recorded, by the baseline and by what their storage claims. */
export const readFirst = async (
  { clock }: { readonly clock: Clock },
  { store, root, content, pool, signal }: FirstReadings,
  files: readonly Pick<BatchTask['files'][number], 'path' | 'size' | 'mayBeArchived'>[],
): Promise<ReadonlyMap<string, ContentObservation>> => {
  const tools = { pool, clock, worker: 'add', opened: () => content, isReportable: async () => true }
  const jobs = Array.from({ length: Math.ceil(files.length / filesOfJob) }, (_, i) =>
    files.slice(i * filesOfJob, (i + 1) * filesOfJob).map(({ path, size, mayBeArchived }) => ({
      ...{ path, size, checksums: [] },
      ...(mayBeArchived && { mayBeArchived }),
    })),
  )
  const read = await Promise.all(
    jobs.map((job) =>
      checkBatch({ batch: 'add', store, files: job }, root, tools, { signal, onProgress: () => {} }),
    ),
  )
  return new Map(read.flatMap(({ observations }) => observations.map(({ path, content }) => [path, content])))
}
