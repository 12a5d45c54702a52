import { changed } from '../../address/address.ts'
import { Link, useAddress } from '../../address/use-address.tsx'
import { useAnswer } from '../../api/use-answer.ts'
import { Answer } from '../../parts/answer.tsx'
import { Json } from '../../parts/json.tsx'
import { Name } from '../../parts/name.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { count } from '../../parts/words.ts'
import type { PageProps } from '../../shell/lazy.tsx'
import { LogMenu } from './log-menu.tsx'

/** One topic: its partitions, who reads them, and its messages. */
const Topic = ({ values: { topic = '' } }: PageProps) => {
  const address = useAddress()
  const from = address.query.get('from') ?? undefined
  const messages = useAnswer('/api/v1/topics/{topic}/messages', {
    path: { topic },
    query: { limit: 20, ...(from !== undefined && { from }) },
  })
  return (
    <>
      <h1>
        Topic <Name text={topic} />
      </h1>
      <LogMenu />
      <Answer of={useAnswer('/api/v1/topics')}>
        {({ topics }) => <Partitions topic={topics.find(({ name }) => name === topic)} />}
      </Answer>
      <h2>Messages</h2>
      <Answer of={messages}>
        {({ messages, next, more }) => (
          <>
            <nav aria-label="Places in the topic">
              <ul>
                <li>
                  <Link to={changed(address, { from: undefined })} current={from === undefined}>
                    Oldest
                  </Link>
                </li>
                <li>
                  {more ? (
                    <Link to={changed(address, { from: next })}>Newer</Link>
                  ) : (
                    <span class="why">Newer: none yet</span>
                  )}
                </li>
              </ul>
            </nav>
            {messages.length === 0 && <p class="none">No message is there.</p>}
            {messages.map(({ partition, offset, timestamp, key, headers, value, valueBase64 }) => (
              <details key={`${partition}:${offset}`}>
                <summary>
                  {partition}:{count(offset)} <Time at={timestamp} /> <Name text={key ?? '(no key)'} />
                </summary>
                <h3>Headers</h3>
                <Json value={headers} says="Headers" />
                <h3>{valueBase64 === undefined ? 'Value' : 'Value: bytes that are no text, in base64'}</h3>
                <Json value={valueBase64 ?? value} says="Value" />
              </details>
            ))}
          </>
        )}
      </Answer>
    </>
  )
}

interface PartitionsProps {
  readonly topic:
    | {
        readonly description: string
        readonly partitions: readonly {
          readonly partition: number
          readonly start: string
          readonly end: string
        }[]
        readonly groups: readonly {
          readonly group: string
          readonly partitions: readonly {
            readonly partition: number
            readonly lag: string
            readonly member: string | null
          }[]
        }[]
      }
    | undefined
}

const Partitions = ({ topic }: PartitionsProps) =>
  topic ? (
    <>
      <p>{topic.description}</p>
      <Table
        caption="Partitions"
        none="It has no partition yet: it is made when something is produced."
        rows={topic.partitions}
        keyOf={({ partition }) => String(partition)}
        columns={[
          { title: 'Partition', isNumber: true, cell: ({ partition }) => partition },
          { title: 'From', isNumber: true, cell: ({ start }) => count(start) },
          { title: 'To', isNumber: true, cell: ({ end }) => count(end) },
          {
            title: 'Lag of each group',
            cell: ({ partition }) =>
              topic.groups.map(({ group, partitions }) => {
                const here = partitions.find((one) => one.partition === partition)
                return (
                  <div key={group}>
                    {group}: {count(here?.lag ?? '0')}
                    {here?.member === null && ' (no member has it)'}
                  </div>
                )
              }),
          },
        ]}
      />
    </>
  ) : (
    <p class="none">There is no such topic.</p>
  )

export default Topic
