import { type Answer, get } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { counted } from '../../api/view-rows.ts'
import { Answer as AnswerOf } from '../../parts/answer.tsx'
import { Name } from '../../parts/name.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { count } from '../../parts/words.ts'
import { graphAt } from './addresses.ts'
import { MatchingMenu } from './matching-menu.tsx'
import { Stuck } from './stuck.tsx'
import { Work } from './work.tsx'

const kinds = {
  'one-link': 'held by one link',
  'hub-placeholder': 'named by many, never described',
  oversized: 'too large to be true',
  corrected: 'changed without a new version',
} as const

/** What is stuck, what is odd, what was refused. */
const Attention = () => (
  <>
    <h1>What to look at</h1>
    <MatchingMenu />
    <Stuck />
    <OddThings />
    <Refused />
  </>
)

type Odd = Answer<'/api/v1/matching/quality'>['quality'][number]

/** A list for each kind: of some there may be as many as there are records. */
const OddThings = () => (
  <AnswerOf of={useAnswer('/api/v1/matching/quality', { query: { limit: 1 } })}>
    {({ counts }) => (
      <>
        <h2>Odd</h2>
        {counts.length === 0 && <p class="none">Nothing stands out.</p>}
        {counts.map(({ what }) => (
          <Paged
            key={what}
            name={what}
            caption={kinds[what]}
            ask={async (page, signal) => {
              const query = { what, ...page }
              const { data, at } = await get('/api/v1/matching/quality', { query }, signal)
              return { data: { rows: data.quality, total: data.counts[0]?.count ?? 0 }, at }
            }}
          >
            {({ rows, total }) => (
              <Table<Odd>
                caption={`Odd: ${kinds[what]}, ${count(total)} of them, the worst first`}
                none="There is none any more."
                rows={rows}
                keyOf={({ id }) => id}
                columns={[
                  { title: 'Works', isNumber: true, cell: ({ weight }) => count(weight) },
                  { title: 'Graph', cell: ({ id, title }) => <Work id={id} title={title} /> },
                  { title: 'In words', cell: ({ says }) => <Name text={says} isWhole /> },
                ]}
              />
            )}
          </Paged>
        ))}
      </>
    )}
  </AnswerOf>
)

const Refused = () => (
  <Paged
    name="refusals"
    caption="Refused"
    ask={(page, signal) =>
      counted(
        get(
          '/api/v1/views/matching-refusals',
          { query: { order: ['-position'], total: true, ...page } },
          signal,
        ),
      )
    }
  >
    {({ rows }) => (
      <Table
        caption="Refused: updates that were no longer the newest, the latest first"
        none="Nothing was refused."
        rows={rows}
        keyOf={({ position }) => String(position)}
        columns={[
          { title: 'When', cell: ({ at }) => <Time at={at ?? ''} /> },
          { title: 'Work', cell: ({ work }) => <Name text={work ?? ''} to={graphAt(work ?? '')} /> },
          { title: 'Why', cell: ({ message }) => <Name text={message ?? ''} isWhole /> },
        ]}
      />
    )}
  </Paged>
)

export default Attention
