import { expect, it } from 'vitest'
import { deadLetterStream } from '#src/domain/kernel/dead-letter.ts'
import type { RecordedEvent } from '#src/domain/kernel/event.ts'
import { deadLetters } from '#src/projections/kernel/dead-letters.ts'
import { folding } from '../folding.ts'

const { folded } = folding(deadLetters)

const at = '2026-01-01T12:00:00.000Z'
const by = { actor: 'ada', reason: 'schedule, no. 12', at }
const letter = {
  ...{
    processor: 'fixity',
    topic: 'fonds.fixity.content',
    partition: 0,
    offset: '0',
    key: null,
    headers: {},
  },
  ...{ value: 'x', encoding: 'text', reason: 'not-json', path: null, message: 'no', at },
}

const logOf = (...events: readonly (readonly [stream: string, type: string, data: object])[]) =>
  events.map(
    ([stream, type, data], i): RecordedEvent => ({
      ...{ id: `${i}`, type, stream, revision: BigInt(i), position: BigInt(i), recordedAt: at, data },
      metadata: { actor: 'ada', causationId: 'c', correlationId: 'c', schema: 1 },
    }),
  )
const failed = (id: string) => [deadLetterStream(id), 'DeadLettered', letter] as const
const discarded = (id: string) => [deadLetterStream(id), 'DeadLetterDiscarded', by] as const
const removed = (...ids: readonly string[]) => {
  const streams = ids.map((id) => ({ stream: deadLetterStream(id), before: '2', events: 2 }))
  const data = { category: 'deadletter', policy: { days: 30, ...by }, olderThan: at, streams, events: 2 }
  return ['retention-deadletter', 'EventsRemoved', { ...data, isLast: true, at }] as const
}

it('Q20: those that a policy removes are gone; one that failed again while it was named still waits', () => {
  const events = logOf(
    ...(['a', 'b'] as const).flatMap((id) => [failed(id), discarded(id)]),
    failed('b'),
    removed('a', 'b', 'c'),
    failed('c'),
  )
  expect(folded({ events }).rows('dead-letters')).toMatchObject([
    { id: 'b', status: 'waiting' },
    { id: 'c', status: 'waiting' },
  ])
})
