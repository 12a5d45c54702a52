import { category, rejectedMessageEvents } from '../../domain/kernel/rejected-message.ts'
import { rejections } from '../../domain/kernel/views.ts'
import { projection } from '../runtime/projection.ts'

export const rejectedMessages = projection(
  {
    name: 'rejections',
    version: 2,
    description: 'Messages that the domain said no to.',
    views: [rejections],
  },
  (on) => [
    on(category, rejectedMessageEvents, {
      MessageRejected: (data, _, { rejections: table }) =>
        table.put({ ...data, details: data.details ?? null }),
    }),
  ],
)
