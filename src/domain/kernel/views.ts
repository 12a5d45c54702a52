import type { Rejection } from './rejection.ts'
import { integer, json, text, type ViewShape } from './view.ts'

/* The views of every workflow. */

export const letters = {
  name: 'dead-letters',
  description: 'Messages that could not be used, with the reason.',
  key: ['id'],
  columns: {
    id: 'text',
    /** `waiting`, `retried` or `discarded`. */
    status: 'text',
    at: 'text',
    topic: 'text',
    partition: 'integer',
    offset: 'text',
    key: 'text',
    reason: 'text',
    message: 'text',
    processor: 'text',
    settledAt: 'text',
    settledBy: 'text',
    settledBecause: 'text',
  },
  indexes: [['status', 'at']],
  history: { by: [['status', 'at']] },
} as const satisfies ViewShape

export const rejections = {
  name: 'rejections',
  description: 'Messages that the domain said no to: look yours up by its id.',
  key: ['message', 'source', 'processor', 'stream'],
  columns: {
    message: 'text',
    source: 'text',
    processor: 'text',
    topic: 'text',
    type: 'text',
    stream: 'text',
    code: text(),
    because: text(),
    /** The compared values, by the code: null if nothing was compared. */
    details: json<Rejection['details'] | null>(),
    at: text(),
  },
  indexes: [['at']],
} as const satisfies ViewShape

export const logBlocks = {
  name: 'log-blocks',
  description:
    'Blocks of the log, by the position they begin behind, with the messages that led to their events.',
  key: ['after'],
  columns: {
    after: 'integer',
    /** The marks of its messages, one behind the other: see `markOf`. */
    messages: text(),
  },
} as const satisfies ViewShape

export const logTypes = {
  name: 'log-types',
  description: 'How many events of a type are in a block of the log.',
  key: ['type', 'after'],
  columns: { type: 'text', after: 'integer', events: integer() },
} as const satisfies ViewShape

export const logEnds = {
  name: 'log-ends',
  description: 'The block of the log that is being filled.',
  key: ['log'],
  columns: {
    log: 'text',
    after: 'integer',
    events: 'integer',
    position: 'integer',
    /** Day of its events, UTC: `2026-01-31`. */
    day: 'text',
    /** Latest second of all events, UTC: `2026-01-31T12:00:00`. */
    second: text(),
    /** Number of events in the whole log. */
    total: integer(),
  },
} as const satisfies ViewShape

export const logDays = {
  name: 'log-days',
  description: 'The first block of the log of each day: no block has events of two days.',
  key: ['day'],
  columns: { day: text(), after: integer() },
} as const satisfies ViewShape

export const logTimes = {
  name: 'log-times',
  description: 'The first event of each second in which events were recorded, and how many came before it.',
  key: ['second'],
  columns: { second: text(), position: integer(), before: integer() },
} as const satisfies ViewShape
