import { category, refusalEvents } from '../../domain/kernel/refusal.ts'
import type { ViewShape } from '../../ports/view-store.ts'
import { projection } from '../runtime/projection.ts'

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
    code: 'text',
    because: 'text',
    /** What was compared, by the code: null where nothing was. */
    details: 'json',
    at: 'text',
  },
  indexes: [['at']],
} as const satisfies ViewShape

export const refusals = projection(
  {
    name: 'rejections',
    version: 2,
    description: 'Messages that the domain said no to.',
    views: [rejections],
  },
  (on) => [
    on(category, refusalEvents, {
      MessageRejected: (data, _, { rejections: table }) =>
        table.put({ ...data, details: data.details ?? null }),
    }),
  ],
)
