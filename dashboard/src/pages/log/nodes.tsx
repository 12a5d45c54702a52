import { Link } from '../../address/use-address.tsx'
import type { Answer as AnswerOf } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Answer } from '../../parts/answer.tsx'
import { Name } from '../../parts/name.tsx'
import { State } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { AsOf, Time } from '../../parts/time.tsx'
import { LogMenu } from './log-menu.tsx'

const says: Readonly<Record<string, string>> = {
  reactions: 'reacts to events, and writes down what has passed',
  relay: 'copies events to the topics of other systems',
}

/** What is not known while a server does not answer. */
const unknown = {
  leases: 'the log does not say who holds the leases.',
  groups: 'the broker does not say which processes take messages.',
}

/** Which process answers here, and who does the work that one at a time does. */
const Nodes = () => (
  <>
    <h1>Nodes</h1>
    <LogMenu />
    <Answer of={useAnswer('/api/v1/nodes')}>
      {(
        { answering: { host, pid, version, node, since }, log, topics, leases, nodes, present, missing },
        at,
      ) => (
        <>
          <h2>The process that answers</h2>
          <dl class="facts">
            <dt>Where</dt>
            <dd>
              {host}, process {pid}
            </dd>
            <dt>Version</dt>
            <dd>
              Fonds {version} on Node {node}
            </dd>
            <dt>Since</dt>
            <dd>
              <Time at={since} form="when" />
            </dd>
            <dt>Log</dt>
            <dd>
              <Name text={log} />
            </dd>
            <dt>Topics</dt>
            <dd>
              <Name text={topics} />
            </dd>
          </dl>
          {missing.map(({ what, why }) => (
            <p key={what}>
              <State is="not known" />: {unknown[what]} <Name text={why} isWhole />
            </p>
          ))}
          <Table
            caption="Leader leases: work that one process at a time does"
            none="None is known."
            rows={leases}
            keyOf={({ lease }) => lease}
            columns={[
              { title: 'Work', cell: ({ lease }) => `${lease}: ${says[lease] ?? ''}` },
              {
                title: 'Held by',
                cell: ({ holder }) =>
                  holder === null ? <State is="idle" words="nobody" /> : <Name text={holder} isWhole />,
              },
              {
                title: 'Until, unless extended',
                cell: ({ until }) =>
                  until === null ? (
                    <span class="why">no process has that role</span>
                  ) : (
                    <Time at={until} form="when" />
                  ),
              },
              {
                title: 'End it',
                cell: ({ lease, holder }) =>
                  holder === null ? (
                    <span class="why">nobody has it</span>
                  ) : (
                    <Link to={`/do/system.end-lease?lease=${lease}`}>Give it to another</Link>
                  ),
              },
            ]}
          />
          <Table
            caption="Processes that hold a lease or take messages"
            none="There is none."
            rows={nodes}
            keyOf={({ name }) => name}
            columns={[
              {
                title: 'Process',
                cell: ({ name, isAnswering }) => (
                  <>
                    <Name text={name} isWhole />
                    {isAnswering && ' (it answers here)'}
                  </>
                ),
              },
              {
                title: 'Version',
                cell: (one) => <Version of={one} here={version} />,
              },
              {
                title: 'Leases',
                cell: ({ leases: held }) => held.join(', ') || <span class="why">none</span>,
              },
              {
                title: 'Takes messages of',
                cell: ({ groups }) =>
                  groups.length > 0 ? groups.join(', ') : <span class="why">no group</span>,
              },
            ]}
          />
          <Table
            caption="Processes that show themselves"
            none="There is none."
            rows={present}
            keyOf={({ name }) => name}
            columns={[
              { title: 'Process', cell: ({ name }) => <Name text={name} isWhole /> },
              { title: 'Roles', cell: ({ roles }) => roles.join(', ') },
              { title: 'Home', cell: ({ home }) => <Name text={home} isWhole /> },
              {
                title: 'Settings',
                cell: ({ needsStart }) =>
                  needsStart.length === 0 ? (
                    'as it was started'
                  ) : (
                    <State is="needs somebody" words={`needs a start for ${needsStart.join(', ')}`} />
                  ),
              },
              { title: 'Since', cell: ({ since }) => <Time at={since} form="when" /> },
            ]}
          />
          <AsOf at={at} />
        </>
      )}
    </Answer>
    <p>
      Processes that do neither, as one with the role api alone, are among those that show themselves.{' '}
      <Link to="/log/groups">Consumer groups</Link>
    </p>
  </>
)

interface VersionProps {
  readonly of: AnswerOf<'/api/v1/nodes'>['nodes'][number]
  /** Of the process that answers. */
  readonly here: string
}

const Version = ({ of: { version, host }, here }: VersionProps) => {
  if (version === null)
    return (
      <span class="why">
        {host === null ? 'Kafka names it, and does not say' : 'its program is too old to say'}
      </span>
    )
  return version === here ? version : <State is="needs somebody" words={`${version}, not ${here}`} />
}

export default Nodes
