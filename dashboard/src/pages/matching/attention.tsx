import { useAnswer } from '../../api/use-answer.ts'
import { Answer } from '../../parts/answer.tsx'
import { Name } from '../../parts/name.tsx'
import { Table } from '../../parts/table.tsx'
import { AsOf, Time } from '../../parts/time.tsx'
import { count } from '../../parts/words.ts'
import { graphAt } from './addresses.ts'
import { MatchingMenu } from './matching-menu.tsx'
import { Stuck } from './stuck.tsx'

const limit = 100
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
    <Odd />
    <Refused />
  </>
)

const Odd = () => (
  <Answer of={useAnswer('/api/v1/matching/quality', { query: { limit } })}>
    {({ quality }, at) => (
      <>
        <Table
          caption="Odd: graphs held together by one link, and the like; the worst of each kind first"
          none="Nothing stands out."
          rows={quality}
          keyOf={({ what, id }) => `${what} ${id}`}
          columns={[
            { title: 'What', cell: ({ what }) => kinds[what] },
            { title: 'Works', isNumber: true, cell: ({ weight }) => count(weight) },
            { title: 'Graph', cell: ({ id }) => <Name text={id} to={graphAt(id)} /> },
            { title: 'In words', cell: ({ says }) => <Name text={says} isWhole /> },
          ]}
        />
        <AsOf at={at} />
      </>
    )}
  </Answer>
)

const Refused = () => (
  <Answer of={useAnswer('/api/v1/views/matching-refusals', { query: { order: ['-position'], limit } })}>
    {({ rows, more }, at) => (
      <>
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
        {more && <p class="why">There are more: the latest {count(limit)} are listed.</p>}
        <AsOf at={at} />
      </>
    )}
  </Answer>
)

export default Attention
