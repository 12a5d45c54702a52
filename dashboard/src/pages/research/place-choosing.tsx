import type { Answer } from '../../api/client.ts'
import type { Choosing, RowAct } from '../../parts/many/choosing.ts'
import { commandAct } from '../../parts/many/command-act.ts'

type Episode = Answer<'/api/v1/research/episodes'>['episodes'][number]
type Clip = Answer<'/api/v1/research/clips'>['clips'][number]

type Subject = { readonly episode: string } | { readonly clip: string }
type Standing = Pick<Episode | Clip, 'state' | 'title' | 'priority'>

const actsOf = <Row extends Standing>(subject: (row: Row) => Subject): readonly RowAct<Row>[] => {
  const simple = (name: string, verb: string, says: string, cannot?: RowAct<Row>['cannot']): RowAct<Row> =>
    commandAct({ name, verb, says, input: subject, ...(cannot && { cannot }) })
  const pin = simple('research.pin', 'Pin', 'Puts each before all that are not pinned.')
  const unpin = simple('research.unpin', 'Unpin', 'Lets each go by its priority again.')
  const exclude = simple('research.exclude', 'Exclude', 'Hands out no more of any of them.', ({ state }) =>
    state === 'excluded' ? 'It is excluded already.' : undefined,
  )
  const include = simple('research.include', 'Include', 'Hands each out again.', ({ state }) =>
    state === 'excluded' ? undefined : `It is ${state}: only what is excluded is included again.`,
  )
  return [
    { ...pin, undo: unpin },
    { ...unpin, undo: pin },
    { ...exclude, undo: include },
    { ...include, undo: exclude },
    commandAct<Row>({
      name: 'research.prioritise',
      verb: 'Set priority',
      says: 'Sets the priority of each, whatever its curator says.',
      fields: (
        <label>
          Priority, the largest first
          <input name="priority" type="number" step={1} required />
        </label>
      ),
      input: (row, typed) => ({
        ...subject(row),
        priority: typed ? Number(typed.get('priority')) : '<number>',
      }),
      undo: commandAct<Row>({
        name: 'research.prioritise',
        verb: 'Set the priority of before',
        says: 'Sets the priority that each had before; its curator does not change it any more.',
        input: (row) => ({ ...subject(row), priority: row.priority }),
      }),
    }),
    simple(
      'research.retry',
      'Try again',
      'Failures are forgotten, and each is handed out again.',
      ({ state }) => (state === 'parked' ? undefined : `It is ${state}: only what is parked is tried again.`),
    ),
  ]
}

const standsOf = ({ state, priority }: Standing): string => `${state}, priority ${priority}`

/** What can be done with episodes that are chosen. */
export const episodeChoosing: Choosing<Episode> = {
  nouns: ['episode', 'episodes'],
  nameOf: ({ episode }) => episode,
  standsOf,
  acts: actsOf(({ episode }) => ({ episode })),
}

/** The same of clips. */
export const clipChoosing: Choosing<Clip> = {
  nouns: ['clip', 'clips'],
  nameOf: ({ clip }) => clip,
  standsOf,
  acts: actsOf(({ clip }) => ({ clip })),
}
