import { category, deadLetterEvents } from '../../domain/kernel/dead-letter.ts'
import { categoryOf, idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import { category as retentionCategory, retentionEvents } from '../../domain/kernel/retention.ts'
import { letters } from '../../domain/kernel/views.ts'
import { projection, type TableOf } from '../runtime/projection.ts'

export const deadLetters = projection(
  { name: 'dead-letters', version: 5, description: 'Messages that could not be used.', views: [letters] },
  (on) => [
    on(category, deadLetterEvents, {
      DeadLettered: (data, event, { 'dead-letters': table }) =>
        table.put({
          id: idOf(event.stream),
          status: 'waiting',
          at: data.at,
          topic: data.topic,
          partition: data.partition,
          offset: data.offset,
          key: data.key,
          reason: data.reason,
          message: data.message,
          processor: data.processor,
          settledAt: null,
          settledBy: null,
          settledBecause: null,
        }),
      DeadLetterRetried: (data, event, { 'dead-letters': table }) => close(table, event, 'retried', data),
      DeadLetterDiscarded: (data, event, { 'dead-letters': table }) => close(table, event, 'discarded', data),
    }),
    on(retentionCategory, retentionEvents, {
      EventsRemoved: ({ streams }, _, { 'dead-letters': table }) => {
        for (const { stream } of streams) {
          const id = idOf(stream)
          // One that failed again while it was named stays: somebody has to settle it.
          if (categoryOf(stream) === category && table.get(id)?.status !== 'waiting') table.delete(id)
        }
      },
    }),
  ],
)

const close = (
  table: TableOf<typeof letters>,
  event: RecordedEvent,
  status: string,
  { at, reason }: { readonly at: string; readonly reason: string },
): void => {
  const row = table.get(idOf(event.stream))
  if (!row) return
  table.put({ ...row, status, settledAt: at, settledBy: event.metadata.actor, settledBecause: reason })
}
