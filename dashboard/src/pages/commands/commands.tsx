import { pathOf } from '../../address/address.ts'
import { Link } from '../../address/use-address.tsx'
import { useAnswer } from '../../api/use-answer.ts'
import { Answer } from '../../parts/answer.tsx'

/** All that an operator can ask for. */
const Commands = () => (
  <>
    <h1>Commands</h1>
    <p>Each asks who you are and why, and is kept in the log with both.</p>
    <Answer of={useAnswer('/api/v1/commands')}>
      {({ commands }) => (
        <dl>
          {commands.map(({ name, description }) => (
            <div key={name}>
              <dt>
                <Link to={pathOf('/do/:command', { command: name })}>{name}</Link>
              </dt>
              <dd>{description}</dd>
            </div>
          ))}
        </dl>
      )}
    </Answer>
  </>
)

export default Commands
