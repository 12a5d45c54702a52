import { isDutyEvent } from '../../domain/kernel/duty.ts'
import { fingerprint } from '../../domain/kernel/fingerprint.ts'
import { messageIdOf } from '../../domain/kernel/message-names.ts'
import type { ViewShape } from '../../ports/view-store.ts'
import type { Projection, TablesOf } from '../runtime/projection.ts'

/*
 * Where to look in the log for what was asked by type or by the message that led to it. The log is taken in blocks of
 * so many events, and a block is told by the position behind which it begins. Rows only ever grow at their end: random
 * ids would otherwise dirty a page of their own each.
 */

/** Events of a block: what is looked through when one of them is wanted. */
export const blockSize = 512

export const blocks = {
  name: 'log-blocks',
  description:
    'Blocks of the log, by the position they begin behind, with the messages that led to their events.',
  key: ['after'],
  columns: {
    after: 'integer',
    /** A mark of each message, one behind the other: see `markOf`. */
    messages: 'text',
  },
} as const satisfies ViewShape

export const types = {
  name: 'log-types',
  description: 'How many events of a type are in a block of the log.',
  key: ['type', 'after'],
  columns: { type: 'text', after: 'integer', count: 'integer' },
} as const satisfies ViewShape

const ends = {
  name: 'log-ends',
  description: 'The block of the log that is being filled.',
  key: ['log'],
  columns: { log: 'text', after: 'integer', events: 'integer', position: 'integer' },
} as const satisfies ViewShape

const views = [blocks, types, ends] as const

export const markLength = 4
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** 24 bits that tell one message from another: of a million blocks' worth, a few are looked through in vain. */
export const markOf = (id: string): string => {
  const bits = fingerprint(id)
  let mark = ''
  for (let shift = 0; shift < markLength * 6; shift += 6) mark += digits[(bits >>> shift) & 63]
  return mark
}

export const logIndex: Projection = {
  name: 'log-index',
  version: 1,
  description: 'Where events of a type, and those that a message led to, are in the log.',
  filter: {},
  views,
  apply: (event, tables) => {
    // Of these the log keeps the latest alone.
    if (isDutyEvent(event)) return
    const { 'log-blocks': blocks, 'log-types': types, 'log-ends': ends } = tables as TablesOf<typeof views>
    const end = ends.get('log')
    const isFull = end?.events === blockSize
    const after = (isFull ? end.position : end?.after) ?? -1
    ends.put({
      log: 'log',
      after,
      events: isFull ? 1 : (end?.events ?? 0) + 1,
      position: Number(event.position),
    })
    types.put({ type: event.type, after, count: (types.get(event.type, after)?.count ?? 0) + 1 })
    const id = messageIdOf(event)
    const known = blocks.get(after)?.messages
    const mark = id === undefined ? '' : markOf(id)
    // The events of a message mostly stand together.
    if (known === undefined || known === null) blocks.put({ after, messages: mark })
    else if (mark !== '' && !known.endsWith(mark)) blocks.put({ after, messages: known + mark })
  },
}
