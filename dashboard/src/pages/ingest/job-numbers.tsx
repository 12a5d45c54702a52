import type { Answer } from '../../api/client.ts'
import { Numbers } from '../../parts/numbers.tsx'
import { count, plural } from '../../parts/words.ts'

type Lanes = Answer<'/api/v1/ingest/lanes'>['lanes']
type End = keyof Lanes[number]['jobs']

/** All jobs, as their batches count them. */
export const jobsIn = (lanes: Lanes, end: End): number => lanes.reduce((sum, { jobs }) => sum + jobs[end], 0)

const batchesIn = (lanes: Lanes, ...states: readonly Lanes[number]['state'][]): number =>
  lanes.filter(({ state }) => states.includes(state)).reduce((sum, { count: n }) => sum + n, 0)

/** What was taken in, what is on its way, and what somebody has to look at. */
export const JobNumbers = ({ lanes }: { readonly lanes: Lanes }) => {
  const jobs = (end: End) => jobsIn(lanes, end)
  const all = lanes.reduce((sum, { count: n }) => sum + n, 0)
  if (all === 0) return null
  const failed = batchesIn(lanes, 'failed')
  return (
    <Numbers
      of={[
        {
          label: 'Stored',
          value: count(jobs('completed')),
          says: `${plural(all, 'batch', 'batches')} submitted`,
        },
        {
          label: 'On the way',
          value: count(jobs('open') - jobs('held')),
          says: `${plural(batchesIn(lanes, 'processing'), 'batch', 'batches')} under way, ${count(batchesIn(lanes, 'pending'))} to be read`,
        },
        {
          label: 'Failed',
          value: count(jobs('failed')),
          says: failed === 0 ? 'no batch as a whole' : `and ${plural(failed, 'batch', 'batches')} as a whole`,
          tone: jobs('failed') + failed > 0 ? 'bad' : undefined,
        },
        {
          label: 'Held',
          value: count(jobs('held')),
          says: `${plural(batchesIn(lanes, 'held'), 'batch', 'batches')} held`,
          tone: jobs('held') + batchesIn(lanes, 'held') > 0 ? 'warn' : undefined,
        },
        { label: 'Cleared away', value: count(jobs('deleted')), says: 'jobs that were given up' },
      ]}
    />
  )
}
