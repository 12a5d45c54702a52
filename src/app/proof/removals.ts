import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import { orThrow } from '../../async/unavailable.ts'
import { categoryOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import { type EventLeaf, leafText } from '../../domain/kernel/proof/event-leaf.ts'
import {
  category,
  type EventsRemoved,
  type RetentionPolicy,
  retentionEvents,
  retentionStream,
} from '../../domain/kernel/retention.ts'
import { isWithinPolicy } from '../../domain/kernel/within-policy.ts'
import type { EventStore } from '../../ports/event-store.ts'
import { isNeverRemoved } from '../../workflows/retention/why-kept.ts'
import type { WorkflowModel } from '../../workflows/workflow-model.ts'

type Log = Pick<EventStore, 'read' | 'metadata' | 'readAll'>

/** An event `EventsRemoved`, and the place where it stands. */
export interface Removal extends Pick<EventsRemoved, 'category' | 'policy'> {
  readonly stream: string
  readonly revision: bigint
}

/** Why a sealed event is no longer in the log: by a policy that an event tells of, or by a rule of its stream, or its deletion. */
export type WhyDeleted = { readonly by: 'policy'; readonly removal: Removal } | { readonly by: 'rule' }

export interface Deletions {
  /** Undefined: nobody has a word for it. Throws `UnavailableError`. */
  whyDeleted(leaf: Pick<EventLeaf, 'stream' | 'revision' | 'recordedAt'>): Promise<WhyDeleted | undefined>
}

const pageSize = 50

/** Tells of events that were removed from the log on somebody's word. The log is read for it when it is first asked. */
export const createDeletions = (log: Log): Deletions => {
  let named: Promise<ReadonlyMap<string, readonly Named[]>> | undefined
  return {
    whyDeleted: async (leaf) => {
      named ??= removalsIn(log)
      const found = (await named)
        .get(keyOf(leaf.stream))
        ?.find(({ before, olderThan }) => leaf.revision < before && leaf.recordedAt < olderThan)
      if (found) return { by: 'policy', removal: found.removal }
      return (await isDeletedByRule(log, leaf)) ? { by: 'rule' } : undefined
    },
  }
}

interface Named {
  /** Revisions below it were removed. */
  readonly before: bigint
  /** All of them were recorded before. */
  readonly olderThan: string
  readonly removal: Removal
}

/** By stream, in the order of the log: so the first that covers a revision is the one by which it went. */
const removalsIn = async (
  log: Pick<EventStore, 'readAll'>,
): Promise<ReadonlyMap<string, readonly Named[]>> => {
  const all = new Map<string, Named[]>()
  const policies = new Map<string, RetentionPolicy>()
  let models: readonly WorkflowModel[] | undefined
  for (let after = -1n; ; ) {
    const filter = { categories: [category], types: ['RetentionSet', 'RetentionLifted', 'EventsRemoved'] }
    const page = await orThrow(log.readAll(after, filter, pageSize))
    for (const event of page.events) {
      const named = removalIn(event, policies)
      if (!named) continue
      // Loaded only where something was removed.
      models ??= await (await import('../../workflows/models.ts')).loadModels()
      if (!isNeverRemoved(named.removal.category, models)) note(all, named)
    }
    if (page.caughtUp) return all
    after = page.position
  }
}

interface NamedParts extends Pick<EventsRemoved, 'streams' | 'olderThan'> {
  readonly removal: Removal
}

/** Undefined where it stands in the stream of another category, or names more than the policy of that moment allowed. */
const removalIn = (event: RecordedEvent, policies: Map<string, RetentionPolicy>): NamedParts | undefined => {
  const read = retentionEvents.read(event)
  if (!isRight(read)) return undefined
  const { type, data } = read.right
  const { category: of } = data
  if (event.stream !== retentionStream(of)) return undefined
  if (type === 'RetentionSet') policies.set(of, data)
  if (type === 'RetentionLifted') policies.delete(of)
  if (type !== 'EventsRemoved' || !isWithinPolicy(data, policies.get(of), event.recordedAt)) return undefined
  const { policy, streams, olderThan } = data
  const removal = { category: of, policy, stream: event.stream, revision: event.revision }
  return { removal, streams, olderThan }
}

const note = (all: Map<string, Named[]>, { removal, streams, olderThan }: NamedParts): void => {
  for (const { stream, before } of streams) {
    if (categoryOf(stream) !== removal.category) continue
    const key = keyOf(leafText(stream))
    const known = all.get(key)
    const one = { before: BigInt(before), olderThan, removal }
    if (known) known.push(one)
    else all.set(key, [one])
  }
}

const keyOf = (stream: EventLeaf['stream']): string =>
  typeof stream === 'string' ? stream : JSON.stringify(stream)

const isDeletedByRule = async (
  log: Pick<EventStore, 'read' | 'metadata'>,
  { stream, revision }: Pick<EventLeaf, 'stream' | 'revision'>,
): Promise<boolean> => {
  if (typeof stream !== 'string') return false
  const read = await log.read(stream, 'end', 'backward', 1)()
  if (isLeft(read) && read.left.kind === 'StreamDeleted') return true
  const { $tb, $maxCount, $maxAge } = await orThrow(log.metadata(stream))
  const newest = isLeft(read) ? undefined : read.right[0]?.revision
  return (
    $maxAge !== undefined ||
    (typeof $tb === 'number' && revision < $tb) ||
    (typeof $maxCount === 'number' && newest !== undefined && revision <= newest - BigInt($maxCount))
  )
}
