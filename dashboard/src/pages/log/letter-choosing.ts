import { type Answer, post } from '../../api/client.ts'
import { quoted } from '../../parts/command-line.ts'
import type { Choosing } from '../../parts/many/choosing.ts'

type Letter = Answer<'/api/v1/views/dead-letters'>['rows'][number]

/** What can be done with dead letters that are chosen. */
export const letterChoosing: Choosing<Letter> = {
  nouns: ['message', 'messages'],
  nameOf: ({ topic, partition, offset }) => `${topic}, ${partition}:${offset}`,
  standsOf: ({ status }) => status ?? 'waiting',
  acts: [
    {
      verb: 'Retry',
      says: 'Puts each message on its topic again as it came.',
      act: ({ id }, { key, ...body }) => post('/api/v1/dead-letters/{id}/retry', { path: { id }, body, key }),
      line: ({ id }) => `fonds dead-letters retry ${quoted(id)} --actor <you> --reason <why>`,
    },
    {
      verb: 'Discard',
      says: 'Notes that they are not needed. They stay in the log.',
      act: ({ id }, { key, ...body }) =>
        post('/api/v1/dead-letters/{id}/discard', { path: { id }, body, key }),
      line: ({ id }) => `fonds dead-letters discard ${quoted(id)} --actor <you> --reason <why>`,
    },
  ],
}
