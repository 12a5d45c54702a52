import { isRight } from 'fp-ts/lib/Either.js'
import { categoryOf } from '../../../domain/kernel/event.ts'
import { type EventLeaf, leafName } from '../../../domain/kernel/proof/event-leaf.ts'
import { retentionEvents, retentionStream } from '../../../domain/kernel/retention.ts'
import { placeOf } from '../check/differences.ts'
import type { Findings } from './findings.ts'

interface Named {
  /** Revisions below it were removed. */
  readonly before: bigint
  /** Names the event that says so, and its policy. */
  readonly says: string
}

/** Tells events that are not in an export and that an event in it says were removed from those of which none does. */
export const createRemoved = (findings: Findings) => {
  const named = new Map<string, Named[]>()
  /** Leaf index and revision of events without bytes, by stream. */
  const absent = new Map<string, [index: number, revision: bigint][]>()
  return {
    /** An event that the export has as it was sealed. */
    add: ({ stream, type, revision }: EventLeaf, index: number, data: unknown): void => {
      if (type !== 'EventsRemoved' || typeof data !== 'string' || typeof stream !== 'string') return
      const read = retentionEvents.read({ type, data: jsonIn(data), metadata: own })
      if (!isRight(read) || read.right.type !== 'EventsRemoved') return
      const { category, policy, streams } = read.right.data
      if (stream !== retentionStream(category)) return
      const says = `leaf ${index}, revision ${revision} of ${stream}, says were removed after ${policy.days} days, by ${policy.actor}: ${policy.reason}`
      for (const { stream: of, before } of streams)
        if (categoryOf(of) === category) push(named, of, { before: BigInt(before), says })
    },
    /** An event whose bytes are not there. */
    addAbsent: ({ stream, revision }: EventLeaf, index: number): void => {
      push(absent, leafName(stream), [index, revision])
    },
    end: (): void => {
      const counts = new Map<string, number>()
      for (const [stream, events] of absent)
        for (const [index, revision] of events) {
          const found = named.get(stream)?.find(({ before }) => revision < before)
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
