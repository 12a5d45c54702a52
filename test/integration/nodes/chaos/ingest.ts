import { expect } from 'vitest'
import type { System } from '../../../../src/app/system.ts'
import { batches, jobs, versions } from '../../../../src/domain/ingest/views.ts'
import { rowsIfFolded } from '../../../../src/domain/kernel/read-views.ts'
import { findings } from '../../../../src/projections/ingest/questions/audit.ts'
import { expectBytes, expectJobs, isOver } from '../../ingest/outcome.ts'
import { useSources } from '../../ingest/sources.ts'
import { isAbsent, useRootJudges } from '../../judges/ocfl-judges.ts'
import type { Traffic } from './traffic.ts'

/** Submissions of every kind, small ones, into one storage root. */
export const ingestTraffic = async (system: System, root: string, storage: string): Promise<Traffic> => {
  const sources = await useSources(root)
  const judgeRoot = isAbsent ? undefined : useRootJudges()
  let round = 0
  return {
    name: 'ingest',
    feed: () => sources.handIn(system, round++),
    acknowledged: sources.submitted,
    open: (views) =>
      isOver(views, sources.submitted())
        ? 0
        : Math.max(1, sources.submitted() - rowsIfFolded(views, batches, {}).filter(hasEnded).length),
    found: async ({ views }) => {
      const urls = new Map(rowsIfFolded(views, jobs, {}).map(({ job, payload }) => [job, payload.url]))
      return {
        wanted: [...sources.objects.keys()],
        found: rowsIfFolded(views, versions, {}).map(({ job }) => urls.get(job ?? 0) ?? `no job ${job}`),
      }
    },
    expectSound: async ({ views }) => {
      expectJobs(views, sources)
      expectBytes(views, storage, sources.objects)
      expect(findings(views, system.clock.now())).toEqual([])
      const objects = views.query('ingest-objects', {}).length
      if (judgeRoot) expect(await judgeRoot(storage, 'at the end')).toBe(objects)
    },
  }
}

const hasEnded = ({ state }: { readonly state: string }): boolean =>
  state === 'completed' || state === 'failed'
