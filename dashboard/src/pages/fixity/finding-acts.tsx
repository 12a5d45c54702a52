import type { Choosing } from '../../parts/many/choosing.ts'
import { commandAct } from '../../parts/many/command-act.ts'
import { AssigneeField } from './assignee.tsx'
import type { Finding } from './finding.ts'
import { settlements } from './settle.tsx'

/** What can be done with findings that are chosen. */
export const findingChoosing: Choosing<Finding> = {
  nouns: ['finding', 'findings'],
  nameOf: ({ store, path }) => `${store}/${path}`,
  standsOf: ({ state, summary, assignee, assigneeName }) =>
    `${state ?? 'not known'}: ${summary}${assignee === null ? '' : ` (given to ${assigneeName ?? assignee})`}`,
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
    commandAct<Finding>({
      name: 'fixity.assign',
      verb: 'Give to …',
      says: 'Each is given to that person, who is mailed of it where a mail server is set.',
      fields: <AssigneeField />,
      input: ({ store, path, resolution }, typed) => ({
        ...{ store, path, resolution },
        to: typed?.get('to') ?? '<mail address>',
      }),
      undo: commandAct<Finding>({
        name: 'fixity.assign',
        verb: 'Give back',
        says: 'Each is given to whoever had it before, or to nobody.',
        input: ({ store, path, resolution, assignee }) => ({
          ...{ store, path, resolution },
          to: assignee ?? 'nobody',
        }),
      }),
    }),
  ],
}
