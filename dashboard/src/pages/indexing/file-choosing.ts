import type { Answer } from '../../api/client.ts'
import type { Choosing, RowAct } from '../../parts/many/choosing.ts'
import { commandAct } from '../../parts/many/command-act.ts'

type File = Answer<'/api/v1/indexing/files'>['files'][number]
type OfFile = Pick<File, 'repository' | 'name' | 'state' | 'because'>

const input = ({ repository, name }: OfFile) => ({ repository, name })

const rescue: RowAct<OfFile> = commandAct({
  name: 'indexing.rescue',
  verb: 'Rescue',
  says: 'Puts each back into the queue, its count of failures at zero.',
  input,
  cannot: ({ state }) => (state === 'parked' ? undefined : `It is ${state}: only what is parked is rescued.`),
})

const park: RowAct<OfFile> = commandAct({
  name: 'indexing.park',
  verb: 'Park',
  says: 'Takes each from the queue until a person rescues it.',
  input,
  cannot: ({ state }) =>
    state === 'parked' || state === 'withdrawn' ? `It is ${state} already.` : undefined,
})

const reset: RowAct<OfFile> = commandAct({
  name: 'indexing.reset',
  verb: 'Index anew',
  says: 'Has each indexed anew, whatever came of it before: its new lines replace the old ones.',
  input,
  cannot: ({ state }) =>
    state === 'unknown'
      ? 'Its name does not say what it is: give the command indexing.reset with a kind.'
      : undefined,
})

/** What can be done with archive files that are chosen. */
export const fileChoosing: Choosing<OfFile> = {
  nouns: ['file', 'files'],
  nameOf: ({ repository, name }) => `${repository}/${name}`,
  standsOf: ({ state, because }) => (because === null ? state : `${state} (${because})`),
  acts: [
    { ...rescue, undo: park },
    commandAct({
      name: 'indexing.salvage',
      verb: 'Salvage',
      says: 'Has each damaged file read as far as it is good: each record that is whole gets its line, and what is lost is told byte for byte.',
      input,
      cannot: ({ state }) =>
        state === 'failed' || state === 'parked'
          ? undefined
          : `It is ${state}: only what failed, or is parked, is salvaged.`,
    }),
    reset,
    {
      ...park,
      undo: {
        ...rescue,
        says: 'Puts each back into the queue, its count of failures at zero: it is read again.',
      },
    },
    commandAct({
      name: 'indexing.withdraw',
      verb: 'Withdraw',
      says: 'Takes each, and all its lines, from the index, and keeps it out.',
      input,
      cannot: ({ state }) => (state === 'withdrawn' ? 'It is withdrawn already.' : undefined),
      undo: { ...reset, verb: 'Index again' },
    }),
  ],
}
