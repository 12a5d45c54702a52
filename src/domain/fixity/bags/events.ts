import * as t from 'io-ts'
import { NonNegativeInteger, Text, Time } from '../../kernel/codecs.ts'
import { streamName } from '../../kernel/event.ts'
import { type EventsOf, eventSet, eventSpec } from '../../kernel/event-set.ts'
import { StoreName } from '../item.ts'
import { BagRule, BagStructure, Verdict } from './judging.ts'

/* Streams: `fixityBag-<store>/<bag>`, one per bag: each judgement that differs from the one before. */

export const category = 'fixityBag'
/** `bag`: path of its folder; `.` is the root of the store. */
export const bagStream = (store: string, bag: string): string => streamName(category, `${store}/${bag}`)

const BagJudged = t.type({
  store: StoreName,
  bag: Text,
  verdict: Verdict,
  rule: BagRule,
  /** One sentence for a person. */
  because: Text,
  structure: BagStructure,
  /** Expected items by state, as the judgement found them. */
  states: t.record(t.string, NonNegativeInteger),
  at: Time,
})

export const bagEvents = eventSet(
  eventSpec('BagJudged', 'A bag was listed, and is valid, not valid or not proven.', BagJudged),
)

export type BagEvent = EventsOf<typeof bagEvents>
