import type { Answer } from '../../api/client.ts'
import type { Choosing } from '../../parts/many/choosing.ts'
import { commandAct } from '../../parts/many/command-act.ts'

type Item = Answer<'/api/v1/views/fixity-items'>['rows'][number]

const input = ({ store, path }: Item) => ({ store, path })

/** What can be done with items that are chosen. */
export const itemChoosing: Choosing<Item> = {
  nouns: ['item', 'items'],
  nameOf: ({ store, path }) => `${store}/${path}`,
  standsOf: ({ state, lastChecked }) =>
    `${state}, ${lastChecked === null ? 'never checked' : `last checked ${lastChecked}`}`,
  acts: [
    commandAct({
      name: 'fixity.check',
      verb: 'Check again',
      says: 'Wants each of them read and compared now, ahead of its turn.',
      input,
    }),
    commandAct({
      name: 'fixity.revive',
      verb: 'Try again',
      says: 'Puts the checks that failed too often back to work.',
      input,
      cannot: ({ state }) =>
        state === 'parked' ? undefined : `It is ${state}: only what is parked is tried again.`,
    }),
    commandAct({
      name: 'fixity.accept',
      verb: 'Make it the record',
      says: 'Declares what was last read of each to be right: it becomes the audit log’s word, and the item counts as accepted, never as verified.',
      input,
      cannot: ({ lastChecked }) => (lastChecked === null ? 'It was never read.' : undefined),
    }),
  ],
}
