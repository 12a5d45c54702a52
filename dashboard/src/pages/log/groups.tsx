import { useAnswer } from '../../api/use-answer.ts'
import { Answer } from '../../parts/answer.tsx'
import { Name } from '../../parts/name.tsx'
import { State } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { AsOf } from '../../parts/time.tsx'
import { count } from '../../parts/words.ts'
import { LogMenu } from './log-menu.tsx'

/** Consumer groups: what each has yet to handle, and who does it. */
const Groups = () => (
  <>
    <h1>Consumer groups</h1>
    <LogMenu />
    <Answer of={useAnswer('/api/v1/topics')}>
      {({ topics }, at) => {
        const readings = topics.flatMap(({ name, groups }) =>
          groups.map((group) => ({ topic: name, ...group })),
        )
        const groups = [...Map.groupBy(readings, ({ group }) => group)].map(([group, read]) => ({
          group,
          topics: read.map(({ topic }) => topic),
          lag: read.reduce((sum, { lag }) => sum + BigInt(lag), 0n),
          members: [...new Set(read.flatMap(({ members }) => members.map(({ member }) => member)))],
        }))
        return (
          <>
            <Table
              caption="Consumer groups"
              none="No group has read anything yet: does a process with the role processors run?"
              rows={groups}
              keyOf={({ group }) => group}
              columns={[
                { title: 'Group', cell: ({ group }) => <Name text={group} /> },
                { title: 'Reads', cell: ({ topics }) => topics.join(', ') },
                { title: 'Lag', isNumber: true, cell: ({ lag }) => count(lag) },
                {
                  title: 'State',
                  cell: ({ members }) =>
                    members.length > 0 ? (
                      <State
                        is="well"
                        words={members.length === 1 ? 'one member' : `${members.length} members`}
                      />
                    ) : (
                      <State is="stopped" words="nobody is there: start a process with the role processors" />
                    ),
                },
                {
                  title: 'Members',
                  cell: ({ members }) => members.map((member) => <div key={member}>{member}</div>),
                },
              ]}
            />
            <AsOf at={at} />
          </>
        )
      }}
    </Answer>
  </>
)

export default Groups
