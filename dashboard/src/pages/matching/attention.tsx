import { get } from '../../api/client.ts'
import { counted } from '../../api/view-rows.ts'
import { Name } from '../../parts/name.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { graphAt } from './addresses.ts'
import { Confirmed } from './confirmed.tsx'
import { MatchingMenu } from './matching-menu.tsx'
import { OddThings } from './odd.tsx'
import { Stuck } from './stuck.tsx'

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
