import type { Answer } from '../../api/client.ts'
import type { Choosing } from '../../parts/many/choosing.ts'
import { commandAct } from '../../parts/many/command-act.ts'

export type Difference = Answer<'/api/v1/fixity/differences'>['first'][number]

/** What can be done with differences that are chosen. */
export const differenceChoosing: Choosing<Difference> = {
  nouns: ['file', 'files'],
  nameOf: ({ store, path }) => `${store}/${path}`,
  standsOf: ({ difference, detail }) => `${difference}${detail === '' ? '' : `, ${detail}`}`,
  acts: [
    commandAct<Difference>({
      name: 'fixity.take-in',
      verb: 'Take in',
      says: 'Each file is recorded by the next comparison, within a minute: by the checksum of a manifest, or by a first reading.',
      input: ({ store, path }) => ({ store, path }),
      cannot: ({ difference }) =>
        difference === 'new' ? undefined : `It is ${difference}: only what is new is taken in.`,
    }),
    commandAct<Difference>({
      name: 'fixity.check',
      verb: 'Check now',
      says: 'Each is read and compared now, ahead of its turn: what is wrong with it becomes a finding.',
      input: ({ store, path }) => ({ store, path }),
      cannot: ({ difference }) =>
        difference === 'new' ? 'It is not recorded yet: there is nothing to compare it with.' : undefined,
    }),
  ],
}
