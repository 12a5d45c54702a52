import { pathOf } from '../../address/address.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Answer } from '../../parts/answer.tsx'
import { Name } from '../../parts/name.tsx'
import { Table } from '../../parts/table.tsx'
import { AsOf } from '../../parts/time.tsx'
import { count } from '../../parts/words.ts'
import { LogMenu } from './log-menu.tsx'

/** The topics: what is on each, and how far its readers are behind. */
const Topics = () => (
  <>
    <h1>Topics</h1>
    <LogMenu />
    <Answer of={useAnswer('/api/v1/topics')}>
      {({ topics }, at) => (
        <>
          <Table
            caption="Topics"
            none="There is no topic."
            rows={topics}
            keyOf={({ name }) => name}
            columns={[
              {
                title: 'Topic',
                cell: ({ name }) => (
                  <span class="line">
                    <Name text={name} to={pathOf('/log/topics/:topic', { topic: name })} />
                  </span>
                ),
              },
              { title: 'What it holds', cell: ({ description }) => description },
              { title: 'Written by', cell: ({ madeBy }) => (madeBy === 'fonds' ? 'Fonds' : 'anybody') },
              { title: 'Partitions', isNumber: true, cell: ({ partitions }) => partitions.length },
              {
                title: 'Messages',
                isNumber: true,
                cell: ({ partitions }) =>
                  count(partitions.reduce((sum, { start, end }) => sum + BigInt(end) - BigInt(start), 0n)),
              },
              {
                title: 'Lag',
                isNumber: true,
                cell: ({ groups }) =>
                  groups.length === 0 ? (
                    <span class="why">no reader</span>
                  ) : (
                    count(groups.reduce((most, { lag }) => (BigInt(lag) > most ? BigInt(lag) : most), 0n))
                  ),
              },
            ]}
          />
          <AsOf at={at} />
        </>
      )}
    </Answer>
  </>
)

export default Topics
