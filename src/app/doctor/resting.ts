import { isLeft } from 'fp-ts/lib/Either.js'
import { reasonOf } from '../../async/unavailable.ts'
import { count } from '../../domain/kernel/amounts.ts'
import { millisBetween, SECOND } from '../../domain/kernel/time.ts'
import { stalledAfterMillis } from '../../processors/runtime/stream-health.ts'
import { type Finding, fail, ok } from '../../workflows/finding.ts'
import type { System } from '../system.ts'

/** A group's offset in a partition where records wait. */
interface Front {
  readonly group: string
  readonly topic: string
  readonly partition: number
  readonly offset: bigint
  readonly lag: bigint
}

/** A partition counts as resting when a batch takes longer. */
const patienceMillis = 10 * SECOND

/**
 * Partitions whose first record has waited for a minute while the offset stays: a member tries the same record again and
 * again. The group's offsets show it, so any process can find it out.
 */
export const restingPartitions = async (system: System): Promise<readonly Finding[]> => {
  const { clock } = system
  let still = await oldOf(system, await frontsOf(system))
  for (let waited = 0; still.length > 0 && waited < patienceMillis; waited += SECOND) {
    await clock.sleep(SECOND)
    const now = new Set((await frontsOf(system)).map(nameOf))
    still = still.filter((front) => now.has(nameOf(front)))
  }
  if (still.length === 0) return [ok('partitions', 'none rests')]
  return still.map((front) => {
    const { group, topic, partition, offset, lag } = front
    const place = `${group} is stalled at ${topic}, partition ${partition}, offset ${offset}`
    return 'because' in front
      ? fail('partitions', `${place}: ${front.because}; ${count(lag)} wait`, unreadable)
      : fail(
          'partitions',
          `${place}, which came ${front.since}; ${count(lag)} wait`,
          'the log of its `fonds start` says why, and so does /readyz there',
        )
  })
}

const unreadable = 'mend that; running processors continue by themselves'

const nameOf = ({ group, topic, partition, offset }: Front): string =>
  `${group}/${topic}/${partition}/${offset}`

/** Groups without members are another finding's. */
const frontsOf = async ({ broker }: System): Promise<readonly Front[]> => {
  const groups = await broker.groups()()
  // A broker that does not answer has a line of its own.
  if (isLeft(groups)) return []
  return groups.right
    .filter(({ members }) => members.length > 0)
    .flatMap(({ group, partitions }) =>
      partitions
        .filter(({ lag }) => lag > 0n)
        .map(({ topic, partition, committed: offset, lag }) => ({ group, topic, partition, offset, lag })),
    )
}

/** A front whose record has waited, or cannot be read. */
type Stuck = Front & ({ readonly since: string } | { readonly because: string })

/** A record from the future may be old: the clock that made it ran ahead. */
const oldOf = async ({ broker, clock }: System, fronts: readonly Front[]): Promise<readonly Stuck[]> => {
  const found = await Promise.all(
    fronts.map(async (front): Promise<readonly Stuck[]> => {
      const records = await broker.peek(front.topic, front.partition, front.offset, 1)()
      if (isLeft(records)) return [{ ...front, because: reasonOf(records.left) }]
      const since = records.right[0]?.timestamp
      return since === undefined ? [] : [{ ...front, since }]
    }),
  )
  const now = clock.now()
  return found
    .flat()
    .filter(
      (front) =>
        'because' in front || front.since > now || millisBetween(front.since, now) >= stalledAfterMillis,
    )
}
