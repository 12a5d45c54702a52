import type { Choosing } from '../../parts/many/choosing.ts'
import { commandAct } from '../../parts/many/command-act.ts'
import type { Finding } from './finding.ts'
import { settlements } from './settle.tsx'

/** What can be done with findings that are chosen. */
export const findingChoosing: Choosing<Finding> = {
  nouns: ['finding', 'findings'],
  nameOf: ({ store, path }) => `${store}/${path}`,
  standsOf: ({ state, summary }) => `${state ?? 'not known'}: ${summary}`,
  acts: [
    commandAct<Finding>({
      name: 'fixity.check',
      verb: 'Check again',
      says: 'Wants each of them read and compared now, ahead of its turn.',
      input: ({ store, path }) => ({ store, path }),
    }),
    ...settlements.map(([how, verb, says]) =>
      commandAct<Finding>({
        name: 'fixity.resolve',
        verb,
        says,
        input: ({ store, path, resolution }) => ({ store, path, resolution, how }),
      }),
    ),
  ],
}
