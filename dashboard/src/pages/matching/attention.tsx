import { get } from '../../api/client.ts'
import { Name } from '../../parts/name.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { Confirmed } from './confirmed.tsx'
import { MatchingMenu } from './matching-menu.tsx'
import { OddThings } from './odd.tsx'
import { Stuck } from './stuck.tsx'
import { Work } from './work.tsx'

/** What is stuck, what is odd, what was found right, what was refused. */
const Attention = () => (
  <>
    <h1>What to look at</h1>
    <MatchingMenu />
    <Stuck />
    <OddThings />
    <Confirmed />
    <Refused />
  </>
)

const Refused = () => (
  <Paged
    name="refusals"
    caption="Refused"
    ask={async (page, signal) => {
      const { data, at } = await get('/api/v1/matching/refused', { query: page }, signal)
      return { data: { rows: data.refused, total: data.total }, at }
    }}
  >
    {({ rows }) => (
      <Table
        caption="Refused: updates that were no longer the newest, the latest first"
        none="Nothing was refused."
        rows={rows}
        keyOf={({ position }) => String(position)}
        columns={[
          { title: 'When', cell: ({ at }) => <Time at={at ?? ''} /> },
          { title: 'Work', cell: ({ id, title }) => <Work id={id} title={title} /> },
          { title: 'Why', cell: ({ says }) => <Name text={says ?? ''} isWhole /> },
        ]}
      />
    )}
  </Paged>
)

export default Attention
