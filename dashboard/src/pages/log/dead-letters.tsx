import { Link, useAddress } from '../../address/use-address.tsx'
import { get } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { counted } from '../../api/view-rows.ts'
import { Answer } from '../../parts/answer.tsx'
import { ActTable } from '../../parts/many/act-table.tsx'
import { Name } from '../../parts/name.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Table } from '../../parts/table.tsx'
import { AsOf, Time } from '../../parts/time.tsx'
import { count } from '../../parts/words.ts'
import { letterAt, lettersAt } from './addresses.ts'
import { letterChoosing } from './letter-choosing.ts'
import { LogMenu } from './log-menu.tsx'
import { RetryGroup } from './retry-group.tsx'

/** Messages that could not be used, by reason; those of one reason. */
const DeadLetters = () => {
  const { query } = useAddress()
  const reason = query.get('reason')
  const topic = query.get('topic')
  return (
    <>
      <h1>Dead letters</h1>
      <LogMenu />
      <p>
        A message that could not be used is kept whole until a person puts it on its topic again, mended or as
        it came, or says that it is not needed. It stays listed: only personal.erase takes bytes away.
      </p>
      {reason !== null && topic !== null ? (
        <>
          <RetryGroup key={`${reason} ${topic}`} reason={reason} topic={topic} />
          <OfGroup reason={reason} topic={topic} />
        </>
      ) : (
        <Groups />
      )}
    </>
  )
}

const Groups = () => (
  <Answer of={useAnswer('/api/v1/dead-letters/groups')}>
    {({ groups }, at) => (
      <>
        <Table
          caption="What waits, by reason"
          none="Every message could be used, or was settled."
          rows={groups}
          keyOf={({ reason, topic }) => `${reason} ${topic}`}
          columns={[
            { title: 'Messages', isNumber: true, cell: (group) => count(group.count) },
            {
              title: 'Reason',
              cell: ({ reason, topic }) => <Link to={lettersAt(reason, topic)}>{reason}</Link>,
            },
            { title: 'Topic', cell: ({ topic }) => topic },
            { title: 'First', cell: ({ first }) => <Time at={first} /> },
            { title: 'Last', cell: ({ last }) => <Time at={last} /> },
            {
              title: 'For example',
              cell: ({ example }) => <Name text={example.message ?? example.id} to={letterAt(example.id)} />,
            },
          ]}
        />
        <AsOf at={at} />
      </>
    )}
  </Answer>
)

const OfGroup = ({ reason, topic }: { readonly reason: string; readonly topic: string }) => {
  const where = ['status=waiting', `reason=${reason}`, `topic=${topic}`]
  return (
    <>
      <p>
        <Link to="/log/dead-letters">All reasons</Link>
      </p>
      <Paged
        name={JSON.stringify(where)}
        caption="Messages of the reason"
        ask={(page, signal) =>
          counted(
            get(
              '/api/v1/views/dead-letters',
              { query: { where, order: ['at'], total: true, ...page } },
              signal,
            ),
          )
        }
      >
        {({ rows, total }, page) => (
          <ActTable
            {...page}
            total={total}
            choosing={letterChoosing}
            caption={`${reason}, on ${topic}, the oldest first`}
            none="None waits any more."
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              { title: 'Came', cell: (row) => <Time at={row.at ?? ''} /> },
              { title: 'Place', cell: ({ partition, offset }) => `${partition}:${offset}` },
              {
                title: 'Key',
                cell: ({ key }) => (key === null ? <span class="why">none</span> : <Name text={key} />),
              },
              {
                title: 'What is wrong',
                cell: ({ id, message }) => <Name text={message ?? id} to={letterAt(id)} />,
              },
            ]}
          />
        )}
      </Paged>
    </>
  )
}

export default DeadLetters
