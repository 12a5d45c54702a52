import type { Answer as AnswerOf } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Answer } from '../../parts/answer.tsx'
import { Command } from '../../parts/command.tsx'
import { Name } from '../../parts/name.tsx'
import { Table } from '../../parts/table.tsx'
import { AsOf, Time } from '../../parts/time.tsx'
import { count } from '../../parts/words.ts'
import { episodeAt, findingsAt } from './addresses.ts'

type ParkedLine = AnswerOf<'/api/v1/research/parked'>['parked'][number]

const limit = 100

/** What waits for a person, all of it. */
export const Parked = () => (
  <Answer of={useAnswer('/api/v1/research/parked', { query: { limit } })}>
    {({ parked }, at) => (
      <>
        <ParkedTable parked={parked} />
        <AsOf at={at} />
      </>
    )}
  </Answer>
)

/** What of one episode or clip waits for a person; nothing where nothing does. */
export const ParkedOf = (of: { readonly episode: string } | { readonly clip: string }) => {
  const { answered } = useAnswer('/api/v1/research/parked', { query: { ...of, limit } })
  const parked = answered?.data.parked ?? []
  return parked.length > 0 ? <ParkedTable parked={parked} /> : null
}

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
