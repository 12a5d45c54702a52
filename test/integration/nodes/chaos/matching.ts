import type { System } from '../../../../src/app/system.ts'
import { rowsIfFolded } from '../../../../src/domain/kernel/read-views.ts'
import { works } from '../../../../src/domain/matching/views.ts'
import { expectGrowing, expectMatched } from '../../../e2e/matching/expectations.ts'
import { latest, produce, updates } from '../../../e2e/matching/traffic.ts'
import type { Traffic } from './traffic.ts'

const perFeed = 10
/** More than are ever asked for. */
const most = 100_000

/** Updates of a small catalogue. */
export const matchingTraffic = (system: System, chance: () => number): Traffic => {
  const all = updates(chance, 60, most)
  let sent = 0
  return {
    name: 'matching',
    feed: async () => {
      await produce(system, all.slice(sent, sent + perFeed))
      sent += perFeed
    },
    acknowledged: () => sent,
    open: (views) => rowsIfFolded(views, works, {}).filter(({ unmatchedSince }) => unmatchedSince).length,
    found: async ({ views }) => ({
      wanted: [...latest(all.slice(0, sent)).values()].map(nameOf),
      found: rowsIfFolded(views, works, {}).map(({ work, sourceVersion }) =>
        nameOf({ id: work, sourceVersion }),
      ),
    }),
    expectSound: async ({ events, views }) => {
      expectGrowing(events)
      expectMatched(views, latest(all.slice(0, sent)))
    },
  }
}

const nameOf = ({
  id,
  sourceVersion,
}: {
  readonly id: string
  readonly sourceVersion: number | null
}): string => `${id}, version ${sourceVersion}`
