import { type Answer as AnswerOf, get } from '../../api/client.ts'
import { Command } from '../../parts/command.tsx'
import { Name } from '../../parts/name.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { count } from '../../parts/words.ts'
import { episodeAt, findingsAt } from './addresses.ts'

type ParkedLine = AnswerOf<'/api/v1/research/parked'>['parked'][number]

interface ParkedProps {
  /** Of one episode or clip; absent: all. */
  readonly of?: { readonly episode: string } | { readonly clip: string }
}

/** What waits for a person; of one thing nothing is said where nothing does. */
export const Parked = ({ of }: ParkedProps) => (
  <Paged
    name={JSON.stringify(['parked', of])}
    caption="Parked"
    ask={async (page, signal) => {
      const { data, at } = await get('/api/v1/research/parked', { query: { ...of, ...page } }, signal)
      return { data: { rows: data.parked, total: data.total }, at }
    }}
  >
    {({ rows, total }) => (of && total === 0 ? null : <ParkedTable parked={rows} />)}
  </Paged>
)

const ParkedTable = ({ parked }: { readonly parked: readonly ParkedLine[] }) => (
  <Table
    caption="Parked: failed too often, and waits for a person"
    none="Nothing is parked."
    rows={parked}
    keyOf={({ episode = '', clip = '' }) => JSON.stringify([episode, clip])}
    columns={[
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
    ]}
  />
)
