import { type Answer as AnswerOf, get } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { listed } from '../../api/view-rows.ts'
import { Command } from '../../parts/command.tsx'
import { ActTable } from '../../parts/many/act-table.tsx'
import { Name } from '../../parts/name.tsx'
import { Paged } from '../../parts/paged.tsx'
import type { Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { count } from '../../parts/words.ts'
import { episodeAt, findingsAt } from './addresses.ts'
import { parkedChoosing } from './desk-choosing.ts'

type ParkedLine = AnswerOf<'/api/v1/research/parked'>['parked'][number]

type Subject = { readonly episode: string } | { readonly clip: string }

/** What of one episode or clip waits for a person; nothing where nothing does. */
export const ParkedOf = (of: Subject) => {
  const { answered } = useAnswer('/api/v1/research/parked', { query: { ...of, limit: 1 } })
  return answered && answered.data.total > 0 ? <Parked of={of} /> : null
}

/** What waits for a person. */
export const Parked = ({ of }: { readonly of?: Subject }) => (
  <Paged
    name={JSON.stringify(['parked', of])}
    caption="Parked"
    ask={(page, signal) =>
      listed('parked', get('/api/v1/research/parked', { query: { ...of, ...page } }, signal))
    }
  >
    {({ rows, total }, page) => (
      <ActTable<ParkedLine>
        {...page}
        total={total}
        choosing={parkedChoosing}
        caption="Parked: failed too often, and waits for a person"
        none="Nothing is parked."
        rows={rows}
        keyOf={({ episode = '', clip = '' }) => JSON.stringify([episode, clip])}
        columns={columns}
      />
    )}
  </Paged>
)

const columns: readonly Column<ParkedLine>[] = [
  { title: 'Since', cell: ({ parkedAt }) => <Time at={parkedAt} /> },
  {
    title: 'What',
    cell: ({ episode, clip }) => (
      <>
        {episode !== undefined && <Name text={episode} to={episodeAt(episode)} />}{' '}
        {clip !== undefined && <Name text={clip} to={findingsAt(clip)} />}
      </>
    ),
  },
  { title: 'Failures', isNumber: true, cell: ({ failures }) => count(failures) },
  { title: 'The last', cell: ({ error }) => <Name text={error} isWhole /> },
  {
    title: 'Repair',
    cell: ({ episode, clip }) => (
      <Command
        name="research.retry"
        input={episode !== undefined ? { episode } : { clip }}
        verb="Try again"
        says="Failures are forgotten, and it is handed out again."
      />
    ),
  },
]
