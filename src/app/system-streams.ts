import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { decode, PositiveInteger, Text } from '../domain/kernel/codecs.ts'
import { categoryOf } from '../domain/kernel/event.ts'
import { category as leaderCategory, leaderEvents } from '../domain/kernel/leader-lease.ts'
import { category as presenceCategory, presenceEvents } from '../domain/kernel/presence.ts'
import { settledBy } from '../domain/kernel/settled.ts'
import type { Workflow } from '../workflows/workflow.ts'

/** An event that another program wants to write, as it would be read back. */
interface OutsideEvent {
  readonly type: string
  readonly data: unknown
  readonly metadata: unknown
}

/**
 * How many events of a leader lease are kept; of the relay's, also the name that the log's events are relayed under; of the
 * sealer's, the origin of the log's Merkle tree.
 */
const leaseMetadata = { $maxCount: PositiveInteger, source: Text, origin: Text }
const LeaseMetadata = t.partial(leaseMetadata)

const Metadata = t.type({ actor: Text, causationId: Text, correlationId: Text, schema: PositiveInteger })

/**
 * Why a stream does not take an event of another program; undefined where it does. Fonds' own streams take only events that
 * Fonds can read: one unreadable event stops every fold. Their metadata cannot be set, but for what a Fonds on another
 * machine sets of leader leases, and where it removes settled streams by a policy. Streams of other categories take anything.
 */
export const rejectUnreadable = (workflows: readonly Workflow[]) => {
  const sets = [
    ...workflows.flatMap(({ eventSets }) => eventSets),
    { category: leaderCategory, events: leaderEvents },
    { category: presenceCategory, events: presenceEvents },
  ]
  return (stream: string, { type, data, metadata }: OutsideEvent): string | undefined => {
    const category = categoryOf(stream)
    const own = sets.find((one) => one.category === category)
    const isCut = category === leaderCategory || category === presenceCategory
    if (!own || (isCut && type === '$metadata' && isLeaseMetadata(data))) return undefined
    if (settledBy(category) && type === '$metadata' && isDeletion(data)) return undefined
    const meta = decode(Metadata, metadata)
    if (isLeft(meta)) return `${stream} is Fonds' own and takes events with Fonds' metadata: ${meta.left}`
    const read = own.events.read({ type, data, metadata: meta.right })
    return isLeft(read) ? `${stream} is Fonds' own and takes its events alone: ${read.left}` : undefined
  }
}

const isDeletion = (data: unknown): boolean =>
  t.type({ $tb: t.number }).is(data) && Object.keys(data).length === 1

const isLeaseMetadata = (data: unknown): boolean =>
  LeaseMetadata.is(data) &&
  Object.keys(data).length > 0 &&
  Object.keys(data).every((key) => key in leaseMetadata)
