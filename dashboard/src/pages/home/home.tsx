import './home.css'
import { nowUnder } from '../../api/past.ts'
import { useAnswer, useAsked } from '../../api/use-answer.ts'
import { useNow } from '../../api/use-past.ts'
import { OfNowNote } from '../../parts/of-now.tsx'
import { AsOf } from '../../parts/time.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { daysShown } from './days.ts'
import { FirstRun } from './first-run.tsx'
import { Headline } from './headline.tsx'
import { House } from './house.tsx'
import { lettersWaiting } from './letters.ts'
import { Needs } from './needs.tsx'
import { WorkflowLine } from './workflow-line.tsx'
import { workflows } from './workflows/all.ts'

/** Is everything safe, does anything wait for a person, is work getting done? */
const Home = () => {
  const now = useNow()
  const asked = workflows.map((workflow) => ({
    workflow,
    shown: useAsked(answeredNow(workflow.ask), workflow.name),
  }))
  const days = useAnswer('/api/v1/events/days', { query: { type: typesCounted, days: daysShown } })
  const letters = useAsked(answeredNow(lettersWaiting), 'letters')
  const times = asked.flatMap(({ shown: { answered } }) => answered?.at ?? [])
  const oldest = times.toSorted((a, b) => a.getTime() - b.getTime())[0]
  return (
    <>
      <div class="head">
        <div>
          <Headline reports={asked.map(({ shown }) => shown.answered?.data)} />
          <House letters={letters.answered?.data.waiting ?? 0} />
        </div>
      </div>
      {asked.every(({ shown }) => shown.answered?.data.is === 'idle') && <FirstRun />}
      <OfNowNote is={asked.some(({ shown }) => shown.ofNow !== 'none') ? 'part' : 'none'} />
      <Needs
        asked={[
          ...asked.map(({ workflow, shown }) => ({ of: workflow.name, report: shown.answered?.data })),
          { of: 'messages', report: letters.answered?.data },
        ]}
        now={oldest ?? now}
      />
      <h2>What is kept and done</h2>
      {days.problem && <Trouble problem={days.problem} />}
      <ul class="workflows">
        {asked.map(({ workflow, shown }) => (
          <WorkflowLine key={workflow.name} workflow={workflow} shown={shown} days={days.answered} />
        ))}
      </ul>
      {oldest && <AsOf at={oldest} />}
    </>
  )
}

/** Asked for all workflows together. */
const typesCounted = workflows.flatMap(({ days }) => days?.types ?? [])

const answeredNow =
  <Told,>(ask: (signal: AbortSignal) => Promise<Told>) =>
  async (signal: AbortSignal) => ({ data: await ask(signal), at: nowUnder(signal) })

export default Home
