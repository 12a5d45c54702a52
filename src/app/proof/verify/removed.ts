import { isRight } from 'fp-ts/lib/Either.js'
import { categoryOf } from '../../../domain/kernel/event.ts'
import { type EventLeaf, leafName } from '../../../domain/kernel/proof/event-leaf.ts'
import { type RetentionPolicy, retentionEvents, retentionStream } from '../../../domain/kernel/retention.ts'
import { isWithinPolicy } from '../../../domain/kernel/within-policy.ts'
import { placeOf } from '../check/differences.ts'
import type { Findings } from './findings.ts'

interface Named {
  /** Revisions below it were removed. */
  readonly before: bigint
  /** All of them were recorded before. */
  readonly olderThan: string
  /** Names the event that says so, and its policy. */
  readonly says: string
}

/**
 * Tells events that are not in an export and that an event in it says were removed from those of which none does. `isPart`: the export
 * may lack the event that set a policy.
 */
export const createRemoved = (findings: Findings, isPart: boolean) => {
  const named = new Map<string, Named[]>()
  /** In force, by category: as the events before say, in their order. */
  const policies = new Map<string, RetentionPolicy | undefined>()
  /** Leaf index of events without bytes, by stream. */
  const absent = new Map<string, [index: number, leaf: EventLeaf][]>()
  return {
    /** An event that the export has as it was sealed. */
    add: ({ stream, type, revision, recordedAt }: EventLeaf, index: number, data: unknown): void => {
      if (typeof type !== 'string' || typeof stream !== 'string' || !stream.startsWith(prefix)) return
      if (!policyEvents.includes(type) || typeof data !== 'string') return
      const read = retentionEvents.read({ type, data: jsonIn(data), metadata: own })
      if (!isRight(read)) return
      const event = read.right
      const { category } = event.data
      if (stream !== retentionStream(category)) return
      if (event.type === 'RetentionSet') policies.set(category, event.data)
      if (event.type === 'RetentionLifted') policies.set(category, undefined)
      if (event.type !== 'EventsRemoved') return
      const { policy, streams, olderThan } = event.data
      const inForce = policies.has(category) || !isPart ? policies.get(category) : policy
      if (!isWithinPolicy(event.data, inForce, recordedAt)) return
      const says = `leaf ${index}, revision ${revision} of ${stream}, says were removed after ${policy.days} days, by ${policy.actor}: ${policy.reason}`
      for (const { stream: of, before } of streams)
        if (categoryOf(of) === category) push(named, of, { before: BigInt(before), olderThan, says })
    },
    /** An event whose bytes are not there. */
    addAbsent: (leaf: EventLeaf, index: number): void => {
      push(absent, leafName(leaf.stream), [index, leaf])
    },
    end: (): void => {
      const counts = new Map<string, number>()
      for (const [stream, events] of absent)
        for (const [index, { revision, recordedAt }] of events) {
          const found = named
            .get(stream)
            ?.find(({ before, olderThan }) => revision < before && recordedAt < olderThan)
          if (found) counts.set(found.says, (counts.get(found.says) ?? 0) + 1)
          else
            for (const part of ['data', 'metadata'])
              findings.unchecked(
                `leaf ${index}, ${placeOf({ stream, revision })}: its ${part} are not in the export`,
              )
        }
      for (const [says, count] of counts)
        findings.unchecked(`the data and metadata of ${count} events, which ${says}`)
    },
  }
}

export type Removed = ReturnType<typeof createRemoved>

const prefix = retentionStream('')
const policyEvents = ['RetentionSet', 'RetentionLifted', 'EventsRemoved']

/** Only the schema counts. */
const own = { actor: '', causationId: '', correlationId: '', schema: 1 }

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const push = <A>(lists: Map<string, A[]>, key: string, one: A): void => {
  const known = lists.get(key)
  if (known) known.push(one)
  else lists.set(key, [one])
}
