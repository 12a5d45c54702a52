import * as E from 'fp-ts/lib/Either.js'
import { orThrow } from '../../async/unavailable.ts'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import { letters, rejections } from '../../domain/kernel/views.ts'
import type { Point } from '../../ports/view-store.ts'
import { beginning, findRows } from '../runtime/find-rows.ts'
import { commandLine, type Finder, type Hit, type Hits, noHits, numberIn, pageAt } from '../runtime/finder.ts'
import { deadLetters } from './dead-letters.ts'
import { rejectedMessages } from './rejected-messages.ts'

/* Things of every log: events, streams, and messages that led to none. */

const eventsFinder: Finder = {
  kind: 'events',
  title: 'Events',
  find: async ({ eventStore, asOf }, { text }) => {
    const position = numberIn(text)
    if (position === undefined) return noHits
    const { events } = await orThrow(eventStore.readAll(BigInt(position) - 1n, {}, 1))
    const [event] = events
    return event?.position === BigInt(position) && isBy(event, asOf) ? oneHit(eventHit(event)) : noHits
  },
}

const streamsFinder: Finder = {
  kind: 'streams',
  title: 'Streams',
  find: async ({ eventStore, asOf }, { text }) => {
    // Every stream has a category; a dollar sign begins those of the log's server.
    if (!/^[^$].*-/s.test(text)) return noHits
    const read = await eventStore.read(text, 'start', 'forward', 1)()
    // A deleted stream has no events to show.
    const [first] = E.isRight(read) ? read.right : []
    return first && isBy(first, asOf)
      ? oneHit({
          id: text,
          command: commandLine('events --stream', text),
          page: pageAt`/log/streams/${text}`,
          isExact: true,
        })
      : noHits
  },
}

const isBy = ({ position, recordedAt }: RecordedEvent, asOf: Point | undefined): boolean =>
  asOf === undefined || ('time' in asOf ? recordedAt <= asOf.time : position <= asOf.position)

const eventHit = ({ position, type, stream }: RecordedEvent): Hit => ({
  id: String(position),
  title: type,
  note: stream,
  command: `fonds events --from ${position} --limit 1`,
  page: pageAt`/log/events/${String(position)}`,
  isExact: true,
})

const oneHit = (hit: Hit): Hits => ({ hits: [hit], total: 1, isAll: true })

const deadLettersFinder: Finder = {
  kind: 'dead-letters',
  title: 'Dead letters',
  projection: deadLetters,
  find: ({ views }, { text, limit }) =>
    findRows(letters, {
      views,
      limit,
      ways: [beginning('id', text)],
      hitOf: ({ id, topic, status }) => ({
        id,
        title: topic,
        note: status,
        command: commandLine('dead-letters show', id),
        page: pageAt`/log/dead-letters/${id}`,
        isExact: id === text,
      }),
    }),
}

const rejectedFinder: Finder = {
  kind: 'rejections',
  title: 'Refused messages',
  projection: rejectedMessages,
  find: ({ views }, { text, limit }) =>
    findRows(rejections, {
      views,
      limit,
      ways: [{ ...beginning('message', text), onlyNow: 'refused messages' }],
      hitOf: ({ message, because, stream }) => ({
        id: message,
        title: because,
        note: stream,
        command: commandLine('query rejections --where', `message=${message}`),
        isExact: message === text,
      }),
    }),
}

export const kernelFinders: readonly Finder[] = [
  eventsFinder,
  streamsFinder,
  deadLettersFinder,
  rejectedFinder,
]
