import './ingest.css'
import { Link } from '../../address/use-address.tsx'
import type { Answer as AnswerOf } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Actor } from '../../parts/actor.tsx'
import { Answer } from '../../parts/answer.tsx'
import { Name } from '../../parts/name.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { movesIn, type StepStanding, standingsOf } from './moves.ts'

type Job = AnswerOf<'/api/v1/ingest/jobs/{job}'>

const shapes: Readonly<Record<StepStanding, string>> = {
  done: '●',
  here: '▶',
  failed: '▲',
  ahead: '○',
}

const wordsOf: Readonly<Record<StepStanding, string>> = {
  done: 'done',
  here: 'here now',
  failed: 'failed here',
  ahead: 'to come',
}

/** The steps of a job in their order, where it is, and each of its moves. */
export const Way = ({ job }: { readonly job: Job }) => (
  <section aria-labelledby="way">
    <h2 id="way">Its way</h2>
    <ol class="steps">
      {standingsOf(job).map(({ step, standing }) => (
        <li key={step} class={standing} {...(standing === 'here' && { 'aria-current': 'step' as const })}>
          <span aria-hidden="true">{shapes[standing]}</span> {step} <small>{wordsOf[standing]}</small>
        </li>
      ))}
    </ol>
    <Moves job={job.job} />
  </section>
)

const maxEvents = 500

const Moves = ({ job }: { readonly job: number }) => {
  const stream = `ingestJob-${job}`
  const shown = useAnswer('/api/v1/streams/{stream}', {
    path: { stream },
    query: { direction: 'backward', limit: maxEvents },
  })
  return (
    <Answer of={shown}>
      {({ events, more }) => (
        <>
          <Table
            caption="Its moves, the latest first"
            none="It has not moved yet."
            rows={movesIn(events)}
            keyOf={({ position }) => position}
            columns={[
              { title: 'When', cell: ({ at }) => <Time at={at} /> },
              { title: 'From', cell: ({ from }) => from },
              { title: 'To', cell: ({ to }) => to },
              { title: 'Rule', cell: ({ cause }) => cause },
              { title: 'By', cell: ({ actor }) => <Actor text={actor} /> },
              { title: 'Says', cell: ({ says }) => says !== undefined && <Name text={says} /> },
              {
                title: 'Event',
                isNumber: true,
                cell: ({ position }) => <Link to={`/log/events/${position}`}>{position}</Link>,
              },
            ]}
          />
          {more && <p class="why">Older ones are left out: the log has them.</p>}
        </>
      )}
    </Answer>
  )
}
