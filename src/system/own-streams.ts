import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { decode, PositiveInteger, Text } from '../domain/kernel/codecs.ts'
import { category as dutyCategory, dutyEvents } from '../domain/kernel/duty.ts'
import { categoryOf } from '../domain/kernel/event.ts'
import type { Workflow } from './system.ts'

/** An event that somebody else wants to write, as it would be read back. */
export interface OutsideEvent {
  readonly type: string
  readonly data: unknown
  readonly metadata: unknown
}

const Metadata = t.type({ actor: Text, causationId: Text, correlationId: Text, schema: PositiveInteger })

/**
 * Says why an event must not get into a stream: Fonds' own streams take only what Fonds can read, since one unreadable
 * event stops all that is folded from them. Nobody rules over them either, but for duties, of which a Fonds on another
 * machine keeps the latest events alone. Streams of other categories are nobody's concern here.
 */
export const refuseUnreadable = (workflows: readonly Workflow[]) => {
  const sets = [
    ...workflows.flatMap(({ eventSets }) => eventSets),
    { category: dutyCategory, events: dutyEvents },
  ]
  return (stream: string, { type, data, metadata }: OutsideEvent): string | undefined => {
    const category = categoryOf(stream)
    const own = sets.find((one) => one.category === category)
    if (!own || (category === dutyCategory && type === '$metadata' && keepsLatest(data))) return undefined
    const meta = decode(Metadata, metadata)
    if (isLeft(meta)) return `${stream} is Fonds' own and takes events with Fonds' metadata: ${meta.left}`
    const read = own.events.read({ type, data, metadata: meta.right })
    return isLeft(read) ? `${stream} is Fonds' own and takes its events alone: ${read.left}` : undefined
  }
}

/** Metadata of a stream that say nothing but how many of its events are kept. */
const keepsLatest = (data: unknown): boolean =>
  typeof data === 'object' && data !== null && Object.keys(data).join() === '$maxCount'
