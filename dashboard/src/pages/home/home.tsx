import './home.css'
import './night.css'
import { nowUnder } from '../../api/past.ts'
import { useAnswer, useAsked } from '../../api/use-answer.ts'
import { useNow, usePast } from '../../api/use-past.ts'
import { OfNowNote } from '../../parts/of-now.tsx'
import { AsOf } from '../../parts/time.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { FirstRun } from './first-run.tsx'
import { Headline } from './headline.tsx'
import { House } from './house.tsx'
import { lettersWaiting } from './letters.ts'
import { Month } from './month.tsx'
import { Needs } from './needs.tsx'
import { Night } from './night.tsx'
import { daysShown, eveningBefore, hasWork, hoursSince, inOrder } from './overview.ts'
import { UnderWay } from './under-way.tsx'
import { WorkflowLine } from './workflow-line.tsx'
import { workflows } from './workflows/all.ts'

const names = workflows.map(({ name }) => name)

/** Is everything safe, does anything wait for a person, is work getting done? */
const Home = () => {
  const now = useNow()
  const isPast = usePast() !== undefined
  const hours = hoursSince(eveningBefore(now), now)
  const { answered: overview, problem } = useAnswer('/api/v1/overview', { query: { hours, days: daysShown } })
  const asked = workflows.map((workflow) => ({
    workflow,
    shown: useAsked(answeredNow(workflow.ask), workflow.name),
  }))
  const letters = useAsked(answeredNow(lettersWaiting), 'letters')
  const times = asked.flatMap(({ shown: { answered } }) => answered?.at ?? [])
  const oldest = times.toSorted((a, b) => a.getTime() - b.getTime())[0]
  const isEmpty = asked.every(({ shown }) => shown.answered?.data.is === 'idle')
  const worked = overview && hasWork(overview.data) ? inOrder(overview.data, names) : undefined
  return (
    <>
      <div class="head">
        <div>
          <Headline reports={asked.map(({ shown }) => shown.answered?.data)} />
          <House letters={letters.answered?.data.waiting ?? 0} />
        </div>
      </div>
      {isEmpty && <FirstRun />}
      <OfNowNote is={asked.some(({ shown }) => shown.ofNow !== 'none') ? 'part' : 'none'} />
      {problem && <Trouble problem={problem} />}
      {worked && <Night overview={worked} now={isPast ? now : new Date(worked.at)} />}
      <div class={worked && !isPast ? 'gap beside' : 'gap'}>
        <Needs
          asked={[
            ...asked.map(({ workflow, shown }) => ({ of: workflow.name, report: shown.answered?.data })),
            { of: 'messages', report: letters.answered?.data },
          ]}
          now={oldest ?? now}
        />
        {worked && !isPast && <UnderWay overview={worked} />}
      </div>
      <h2>What is kept and done</h2>
      <ul class="workflows">
        {asked.map(({ workflow, shown }) => (
          <WorkflowLine
            key={workflow.name}
            workflow={workflow}
            shown={shown}
            lane={overview?.data.lanes.find((lane) => lane.workflow === workflow.name)}
          />
        ))}
      </ul>
      {worked && <Month overview={worked} />}
      {oldest && <AsOf at={oldest} />}
    </>
  )
}

const answeredNow =
  <Told,>(ask: (signal: AbortSignal) => Promise<Told>) =>
  async (signal: AbortSignal) => ({ data: await ask(signal), at: nowUnder(signal) })

export default Home
