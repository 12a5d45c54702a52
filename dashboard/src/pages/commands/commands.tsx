import { pathOf } from '../../address/address.ts'
import { Link } from '../../address/use-address.tsx'
import { useAnswer } from '../../api/use-answer.ts'
import { Answer } from '../../parts/answer.tsx'
import { Table } from '../../parts/table.tsx'

/** All that an operator can ask for, by what it is about. */
const Commands = () => (
  <>
    <h1>Commands</h1>
    <p>Each asks who you are and why, and is kept in the log with both.</p>
    <Answer of={useAnswer('/api/v1/commands')}>
      {({ commands }) => (
        <>
          {[...Map.groupBy(commands, ({ name }) => name.split('.', 1)[0] ?? '')].map(([about, some]) => (
            <Table
              key={about}
              caption={about.charAt(0).toUpperCase() + about.slice(1)}
              none="There is none."
              rows={some}
              keyOf={({ name }) => name}
              columns={[
                {
                  title: 'Command',
                  cell: ({ name }) => <Link to={pathOf('/do/:command', { command: name })}>{name}</Link>,
                },
                { title: 'Effect', cell: ({ description }) => description },
              ]}
            />
          ))}
        </>
      )}
    </Answer>
  </>
)

export default Commands
