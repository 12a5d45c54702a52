import type { Answer } from '../../api/client.ts'
import { giveCommand } from '../../parts/command.tsx'
import { commandLine } from '../../parts/command-line.ts'
import type { Choosing } from '../../parts/many/choosing.ts'

type Hold = Answer<'/api/v1/ingest/holds'>['holds'][number]

/** The command that ends a hold, or begins it again, and its fields. */
const command = (way: 'release' | 'hold', { kind, name }: Hold) => {
  const input = kind === 'job' ? { job: Number(name) } : { [kind]: name }
  return [`ingest.${way}-${kind}`, input] as const
}

/** What can be done with holds that are chosen. */
export const holdChoosing: Choosing<Hold> = {
  nouns: ['hold', 'holds'],
  nameOf: ({ kind, name }) => (kind === 'all' ? 'all ingest' : `${kind} ${name}`),
  standsOf: ({ actor, reason }) => `held by ${actor}: ${reason}`,
  acts: [
    {
      verb: 'Release',
      says: 'Ends each of the holds. What a collection held meanwhile is released apart.',
      act: (hold, by) => giveCommand(...command('release', hold), by),
      line: (hold) => commandLine(...command('release', hold)),
      cannot: ({ kind }) => (kind === 'all' ? 'All ingest goes on by the button below.' : undefined),
      undo: {
        verb: 'Hold again',
        says: 'Holds each again, while it is pending.',
        act: (hold, by) => giveCommand(...command('hold', hold), by),
        line: (hold) => commandLine(...command('hold', hold)),
      },
    },
  ],
}
