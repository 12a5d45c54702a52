import { fingerprint } from '../../domain/kernel/fingerprint.ts'
import { isLeaderEvent } from '../../domain/kernel/leader-lease.ts'
import { messageIdOf } from '../../domain/kernel/message-names.ts'
import { logBlocks, logDays, logEnds, logTimes, logTypes } from '../../domain/kernel/views.ts'
import type { Projection, TablesOf } from '../runtime/projection.ts'

/*
 * An index of the log by event type, by day and by causing message. It names blocks of at most 512 events, all of one
 * day; a block's key is the position after which it begins. Keys grow with the log, so rows are written at the end:
 * random ids would dirty a page each. A second has the number of events before it: how many there are between two is
 * one subtraction, however many they are.
 */

/** Events of a block: all are read if one of them is wanted. */
export const blockSize = 512

const views = [logBlocks, logTypes, logEnds, logDays, logTimes] as const

export const markLength = 4
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** 24 bits of a hash of a message's id. Of a million blocks, a few are read in vain. */
export const markOf = (id: string): string => {
  const bits = fingerprint(id)
  let mark = ''
  for (let shift = 0; shift < markLength * 6; shift += 6) mark += digits[(bits >>> shift) & 63]
  return mark
}

export const logIndex: Projection = {
  name: 'log-index',
  version: 3,
  description: 'Where events of a type, and those that a message led to, are in the log.',
  filter: {},
  views,
  apply: (event, tables) => {
    // The log keeps only the latest of these.
    if (isLeaderEvent(event)) return
    const {
      'log-blocks': blocks,
      'log-types': types,
      'log-ends': ends,
      'log-days': days,
      'log-times': times,
    } = tables as TablesOf<typeof views>
    const end = ends.get('log')
    const day = event.recordedAt.slice(0, 10)
    const isNewDay = end?.day !== day
    const isEnded = end !== undefined && (isNewDay || end.events === blockSize)
    const after = (isEnded ? end.position : end?.after) ?? -1
    if (isNewDay) days.put({ day, after })
    const total = end?.total ?? 0
    // If a clock ran backward, the order of the log decides.
    const second = latest(event.recordedAt.slice(0, 19), end?.second)
    if (second !== end?.second) times.put({ second, position: Number(event.position), before: total })
    ends.put({
      log: 'log',
      after,
      events: isEnded ? 1 : (end?.events ?? 0) + 1,
      position: Number(event.position),
      day,
      second,
      total: total + 1,
    })
    types.put({ type: event.type, after, events: (types.get(event.type, after)?.events ?? 0) + 1 })
    const id = messageIdOf(event)
    const known = blocks.get(after)?.messages
    const mark = id === undefined ? '' : markOf(id)
    // The events of a message are mostly in one block.
    if (known === undefined || known === null) blocks.put({ after, messages: mark })
    else if (mark !== '' && !known.endsWith(mark)) blocks.put({ after, messages: known + mark })
  },
}

const latest = (second: string, known: string | undefined): string =>
  known !== undefined && known > second ? known : second
