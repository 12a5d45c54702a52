import { useEffect, useState } from 'preact/hooks'
import { changed } from '../../address/address.ts'
import { Link, useAddress } from '../../address/use-address.tsx'
import type { Answer as AnswerOf } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Answer } from '../../parts/answer.tsx'
import { Name } from '../../parts/name.tsx'
import { proofAt } from '../../parts/prove.tsx'
import { State } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { historyAt } from '../../parts/thing.tsx'
import { Time } from '../../parts/time.tsx'
import { count } from '../../parts/words.ts'
import type { PageProps } from '../../shell/lazy.tsx'
import { trustedKey } from './trusted-key.tsx'
import { type Outcome, proven } from './use-check.ts'
import { isVerified, verifiedOf } from './verified.ts'
import './proof.css'

const pageSize = 20

type LogEvent = AnswerOf<'/api/v1/history/{id}'>['events'][number]

/** The newest events of a thing, each provable, and all of them at once. */
const ThingProofs = ({ values: { id = '' } }: PageProps) => (
  <>
    <h1>
      Prove <Name text={id} isWhole />
    </h1>
    <ThingEvents id={id} />
  </>
)

export const ThingEvents = ({ id }: { readonly id: string }) => {
  const address = useAddress()
  const before = address.query.get('before') ?? 'end'
  const shown = useAnswer('/api/v1/history/{id}', {
    path: { id },
    query: { before, related: false, limit: pageSize },
  })
  return (
    <Answer of={shown}>
      {({ events, next, more }) => (
        <>
          <Events key={events.map(({ position }) => position).join()} id={id} events={events} />
          <p class="buttons">
            {more && <Link to={changed(address, { before: next })}>Earlier events</Link>}
            <Link to={historyAt(id)}>Its history</Link>
            <Link to="/proofs">The tree</Link>
          </p>
        </>
      )}
    </Answer>
  )
}

const Events = ({ id, events }: { readonly id: string; readonly events: readonly LogEvent[] }) => {
  const { outcomes, isRunning, run } = useOutcomes(events)
  const verified = verifiedOf(events, outcomes)
  return (
    <>
      <p class="buttons">
        <button type="button" class="main" disabled={isRunning} onClick={run}>
          Verify these in this browser
        </button>
        {verified !== undefined && (
          <span role="status">
            {verified === events.length ? (
              <State
                is="well"
                words={verified === 1 ? 'This one is verified' : `These ${count(verified)} are verified`}
              />
            ) : (
              <State is="needs somebody" words={`${count(verified)} of ${count(events.length)} verified`} />
            )}
          </span>
        )}
      </p>
      <Table
        caption={`Newest events of ${id}`}
        none="Nothing ever happened to it."
        rows={events}
        keyOf={({ position }) => position}
        columns={[
          {
            title: 'Event',
            cell: ({ position, type }) => (
              <Link to={`/log/events/${position}`}>{`${count(position)} ${type}`}</Link>
            ),
          },
          { title: 'Taken at', cell: ({ recordedAt }) => <Time at={recordedAt} form="when" /> },
          { title: 'Stream', cell: ({ stream }) => <Name text={stream} /> },
          {
            title: 'Verified here',
            cell: (event) => <Mark of={outcomes.get(event.position)} event={event} />,
          },
          {
            title: 'Proof',
            isBare: true,
            cell: ({ position, id }) => (
              <Link to={proofAt(position, id)} class="button small" label={`Prove event ${position}`}>
                Prove
              </Link>
            ),
          },
        ]}
      />
      <p class="why">
        The operator of this server served what verifies here; the proof of each event has what an outsider
        takes.
      </p>
    </>
  )
}

const useOutcomes = (events: readonly LogEvent[]) => {
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map())
  const [round, setRound] = useState(0)
  const [isRunning, setRunning] = useState(false)
  useEffect(() => {
    if (round === 0) return
    const leaving = new AbortController()
    const { signal } = leaving
    const all = async () => {
      setRunning(true)
      setOutcomes(new Map())
      for (const { position, id } of events) {
        const outcome = await proven({ position, id }, trustedKey(), signal)
        if (signal.aborted) return
        setOutcomes((before) => new Map(before).set(position, outcome))
      }
      setRunning(false)
    }
    all().catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
    return () => leaving.abort()
  }, [round])
  return { outcomes, isRunning, run: () => setRound((n) => n + 1) }
}

interface MarkProps {
  readonly of: Outcome | undefined
  readonly event: LogEvent
}

const Mark = ({ of, event }: MarkProps) => {
  if (of === undefined) return <span class="why">not yet</span>
  if (isVerified(of, event)) return <State is="well" words="verified" />
  if (of.kind === 'refused')
    return of.problem.code === 'not-sealed' ? (
      <State is="idle" words="not sealed yet" />
    ) : (
      <State is="wrong" words={of.problem.code} />
    )
  return of.kind === 'unchecked' ? (
    <State is="not known" words="not checked here" />
  ) : (
    <State is="wrong" words="does not hold" />
  )
}

export default ThingProofs
