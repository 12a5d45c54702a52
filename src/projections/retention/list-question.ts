import { right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { NonNegativeInteger, PositiveInteger, Text, Time } from '../../domain/kernel/codecs.ts'
import { deadLetters } from '../kernel/dead-letters.ts'
import { question } from '../runtime/question.ts'
import { toTheSecond } from '../runtime/shown.ts'
import { countDue, dueBy } from './due-events.ts'
import { policiesOfLog } from './policies.ts'
import { timeOfLog } from './time-of-log.ts'

const orNull = <Codec extends t.Mixed>(codec: Codec) => t.union([codec, t.null])

const Row = t.type({
  category: Text,
  /** Null: the policy was lifted. */
  days: orNull(PositiveInteger),
  actor: orNull(Text),
  reason: orNull(Text),
  at: orNull(Time),
  /** Older now, and not named for removal yet; null of a past moment, and without a policy. */
  dueStreams: orNull(NonNegativeInteger),
  dueEvents: orNull(NonNegativeInteger),
  /** Events that were named, and go when that is sealed. */
  named: NonNegativeInteger,
  /** Events, over all removals. */
  removed: NonNegativeInteger,
  removedAt: orNull(Time),
})

const lifted = { days: null, actor: null, reason: null, at: null }

/** The policies of the log, and what they would remove now. */
export const listRetention = question({
  name: 'list',
  path: 'retention',
  operationId: 'listRetention',
  summary:
    'The policies by which events are removed: of which streams, after how many days, who wanted it and why.',
  description:
    'With what each would remove now, and what was removed by it. Only what is sealed is removed: less than is due where the sealer is behind.',
  projection: deadLetters,
  history: 'log',
  needsViews: false,
  input: {},
  answer: t.type({ policies: t.readonlyArray(Row) }),
  returns: 'The policies, and what was removed by those that were lifted.',
  ask: async (_, __, { eventStore, now, asOf, signal }) => {
    const policies: t.TypeOf<typeof Row>[] = []
    for (const one of await policiesOfLog(eventStore, asOf)) {
      const { category, state, removed } = one
      const due =
        asOf || state.named || !state.policy ? undefined : dueBy(one, await timeOfLog(eventStore, now))
      const count = due && (await countDue(eventStore, { ...due, signal }))
      policies.push({
        ...{ category, ...(state.policy ?? lifted), removed },
        ...{ dueStreams: count?.streams ?? null, dueEvents: count?.events ?? null },
        ...{ named: state.named?.events ?? 0, removedAt: state.doneAt ?? null },
      })
    }
    return right({ policies })
  },
  rows: { row: Row, of: ({ policies }) => policies },
  prints: 'rows',
  show: ({ policies }) => [
    {
      rows: policies,
      columns: [
        { key: 'category' },
        { key: 'days', show: (days) => (days === null ? 'lifted' : String(days)) },
        { key: 'actor', title: 'by' },
        { key: 'at', title: 'when', show: toTheSecond },
        { key: 'reason', title: 'why' },
        { key: 'dueStreams', title: 'streams due' },
        { key: 'dueEvents', title: 'events due' },
        { key: 'named' },
        { key: 'removed' },
        { key: 'removedAt', title: 'last', show: toTheSecond },
      ],
    },
  ],
  nothing: ({ policies }) =>
    policies.length === 0
      ? 'no policy is set: all events stay. `fonds retention set <category> <days>` sets one'
      : undefined,
  examples: [['list', 'what is kept for how long, and what would go now']],
})
