import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { reasonOf, UnavailableError } from '../async/unavailable.ts'
import { NonNegativeInteger, Text, Time } from '../domain/kernel/codecs.ts'
import type { BrokenProcessor, RestingPartition } from '../processors/runtime/resting.ts'
import { projectionsOf } from '../workflows/workflow-model.ts'
import type { ApiContext } from './context.ts'
import { Place } from './http/parameters.ts'
import { positionOf } from './wait-for-views.ts'

export const Readiness = t.type({
  head: Place,
  projections: t.array(t.type({ projection: Text, position: Place, lag: Place })),
  /** Partitions of this process's processors on which no batch was finished for a minute, or that cannot be read. */
  resting: t.array(
    t.intersection([
      t.type({ processor: Text, topic: Text, partition: NonNegativeInteger, offset: Place, since: Time }),
      t.partial({ because: Text }),
    ]),
  ),
  /** Processors of this process of which no member is in the group: they take nothing, and it is tried again and again. */
  broken: t.array(t.type({ processor: Text, since: Time, because: Text })),
  /** Why workers of this process claim nothing before a person has acted. */
  idle: t.array(Text),
  /** Why this process does not extend the Merkle tree of the log before a person has acted, and where the log is not what was sealed. */
  unsealed: t.array(Text),
})

interface Ready {
  readonly head: bigint
  readonly projections: readonly {
    readonly projection: string
    readonly position: bigint
    readonly lag: bigint
  }[]
  readonly resting: readonly RestingPartition[]
  readonly broken: readonly BrokenProcessor[]
  readonly idle: readonly string[]
  readonly unsealed: readonly string[]
}

/** Asks everything that answers depend on. `behind`: a sentence for each thing that is away or lags. */
export const readiness = async (
  context: ApiContext,
): Promise<Ready & { readonly behind: readonly string[] }> => {
  const { eventStore, broker, partitions, workflows } = context.system
  // They are named, but do not make this process unready: people need the page most when work rests.
  const resting = partitions.resting()
  const broken = partitions.broken()
  const idle = context.running?.whyIdle?.() ?? []
  const unsealed = context.running?.whyUnsealed?.() ?? []
  const behind: string[] = []
  const waitsFor = context.running?.waitsFor?.()
  if (waitsFor !== undefined) behind.push(`waiting: ${waitsFor}`)
  const head = await eventStore.head()()
  if (isLeft(head)) behind.push(`the event store does not answer: ${head.left.reason}`)
  else {
    const writable = await eventStore.writable()()
    if (isLeft(writable)) behind.push(`the event store takes no writes: ${writable.left.reason}`)
  }
  const damage = context.running?.logDamage?.()
  if (damage !== undefined) behind.push(damage)
  const topics = await broker.topics()()
  if (isLeft(topics)) behind.push(`the broker does not answer: ${reasonOf(topics.left)}`)
  behind.push(...(context.running?.whyBlocked?.() ?? []))
  const end = isLeft(head) ? -1n : head.right
  const errors = new Map(
    context.running?.projections?.status().map(({ projection, lastError }) => [projection, lastError]),
  )

  const ofProjection = (projection: string) => {
    const position = positionOf(context, projection)
    const lag = end - (position ?? -1n)
    const why = errors.get(projection)
    if (position === undefined) behind.push(`${projection}: its views have not been folded yet`)
    else if (lag > context.smallLag)
      behind.push(`${projection}: is ${lag} positions behind${why ? `: ${why}` : ''}`)
    return { projection, position: position ?? -1n, lag: lag > 0n ? lag : 0n }
  }
  try {
    return {
      head: end,
      projections: projectionsOf(workflows).map(({ name }) => ofProjection(name)),
      resting,
      broken,
      idle,
      unsealed,
      behind,
    }
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error
    return {
      head: end,
      projections: [],
      resting,
      broken,
      idle,
      unsealed,
      behind: [...behind, `the views do not answer: ${error.message}`],
    }
  }
}
