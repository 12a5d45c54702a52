import type { Answer as AnswerOf } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Answer } from '../../parts/answer.tsx'
import { SameLine } from '../../parts/same-line.tsx'
import { Sentence } from '../../parts/sentence.tsx'
import { type Condition, State } from '../../parts/state.tsx'
import { AsOf } from '../../parts/time.tsx'
import { plural } from '../../parts/words.ts'
import { useNoAdministration } from '../../shell/may-act.ts'
import { LogMenu } from './log-menu.tsx'

type Check = AnswerOf<'/api/v1/checks'>['checks'][number]

const conditions: Readonly<Record<Check['status'], readonly [is: Condition, words: string]>> = {
  fail: ['wrong', 'fails'],
  warn: ['needs somebody', 'look at it'],
  ok: ['well', 'well'],
}

/** Whether everything is well, with what to do where it is not: those first. */
const ChecksPage = () => {
  const cannot = useNoAdministration()
  return (
    <>
      <h1>Checks</h1>
      <LogMenu />
      {cannot === undefined ? <Checks /> : <p class="why">{cannot}</p>}
    </>
  )
}

const Checks = () => (
  <Answer of={useAnswer('/api/v1/checks')}>
    {({ checks, at }) => {
      const wrong = [...ofStatus(checks, 'fail'), ...ofStatus(checks, 'warn')]
      const well = ofStatus(checks, 'ok')
      return (
        <>
          <p>
            {wrong.length === 0
              ? `All ${plural(well.length, 'check')} found everything well.`
              : `${plural(wrong.length, 'check')} found something, ${plural(well.length, 'check')} nothing.`}{' '}
            <AsOf at={at} />
          </p>
          {wrong.length > 0 && <CheckList title="What to look at" checks={wrong} />}
          <CheckList title="What is well" checks={well} />
          <SameLine line="fonds doctor" />
          <p class="why">
            The command looks through the files of the home and its own settings as well; a copy is made by{' '}
            <code class="name">fonds backup &lt;folder&gt;</code> while Fonds runs.
          </p>
        </>
      )
    }}
  </Answer>
)

const ofStatus = (checks: readonly Check[], status: Check['status']): readonly Check[] =>
  checks.filter((one) => one.status === status)

interface CheckListProps {
  readonly title: string
  readonly checks: readonly Check[]
}

const CheckList = ({ title, checks }: CheckListProps) => {
  const id = title.replaceAll(' ', '-').toLowerCase()
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul class="findings flush">
        {checks.map(({ check, status, says, todo }, i) => {
          const [is, words] = conditions[status]
          return (
            // Several lines may be of one check.
            <li key={`${check} ${i}`}>
              <div>
                <State is={is} words={words} /> <strong>{check}</strong>
                <p>
                  <Sentence text={says} />
                </p>
              </div>
              {todo !== null && (
                <p>
                  <Sentence text={todo} />
                </p>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

export default ChecksPage
