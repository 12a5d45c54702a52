import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { inPresent } from '../../address/address.ts'
import { Link, useAddress } from '../../address/use-address.tsx'
import { type Answered, get } from '../../api/client.ts'
import { useAsked } from '../../api/use-answer.ts'
import { PastContext } from '../../api/use-past.ts'
import { visible } from '../../parts/name.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import type { Around } from './around.ts'
import { type Shown, TimeMachineContext, useTimeMachine } from './context.ts'
import { isPosition, type Wanted, wantedIn, whyNotYet } from './moment.ts'
import { Row } from './row.tsx'
import './time-machine.css'

interface Children {
  readonly children: ComponentChildren
}

/** One control for every page: the moment that all of it is shown as of. It stands in the address, as `at`. */
export const TimeMachine = ({ children }: Children) => {
  const shown = useShown(wantedIn(useAddress().query))
  const isNow = shown.kind === 'now'
  const [isOpen, open] = useState(!isNow)
  useEffect(() => {
    if (!isNow) open(true)
  }, [isNow])
  const state = useMemo(() => ({ shown, isOpen, open }), [JSON.stringify(shown), isOpen])
  return <TimeMachineContext.Provider value={state}>{children}</TimeMachineContext.Provider>
}

/** The page as of the moment, below the row that chooses one. Nothing is drawn for what is no moment. */
export const AsOfMoment = ({ children }: Children) => {
  const { shown, isOpen } = useTimeMachine()
  const past = shown.kind === 'past' ? shown.past : undefined
  return (
    <>
      {isOpen && <Row />}
      <PastContext.Provider value={past}>
        {shown.kind === 'looking' && <p class="waiting">Looking for the moment …</p>}
        {(shown.kind === 'now' || shown.kind === 'past') && children}
        {shown.kind === 'unfit' && (
          <NoMoment>
            <Unfit at={shown.at} why={shown.why} />
          </NoMoment>
        )}
        {shown.kind === 'refused' && (
          <NoMoment>
            <Trouble problem={shown.problem} />
          </NoMoment>
        )}
      </PastContext.Provider>
    </>
  )
}

/** A page is drawn once the moment is known: until then nobody could say of when it is. On the way to another one it stays. */
const useShown = (wanted: Wanted): Shown => {
  const at = wanted.kind === 'past' ? wanted.at : undefined
  const ask = async (signal: AbortSignal): Promise<Answered<Around | undefined>> =>
    at === undefined
      ? { data: undefined, at: new Date() }
      : get('/api/v1/events/moment', { query: { at } }, signal)
  const { answered, problem } = useAsked(ask, at ?? 'now')
  const kept = useRef<Known>(undefined)
  if (at === undefined) kept.current = undefined
  else if (answered?.data) kept.current = { at, around: answered.data, now: answered.at }
  const known = kept.current
  const past = useMemo(() => known && { at: known.at, time: timeOf(known) }, [known?.at])
  if (wanted.kind !== 'past') return wanted
  if (problem && !answered) return { kind: 'refused', problem }
  if (!known || !past) return { kind: 'looking' }
  const why = whyNotYet(known.at, { now: known.now, last: known.around.last })
  return why === undefined
    ? { kind: 'past', past, around: known.around }
    : { kind: 'unfit', at: known.at, why }
}

interface Known {
  readonly at: string
  readonly around: Around
  /** When the server said so. */
  readonly now: Date
}

const timeOf = ({ at, around: { event, first }, now }: Known): Date => {
  if (!isPosition(at)) return new Date(at)
  const near = event ?? first
  return near ? new Date(near.recordedAt) : now
}

const Unfit = ({ at, why }: { readonly at: string; readonly why: string }) => (
  <p class="trouble" role="status">
    <strong>
      at=<code class="name">{visible(at.slice(0, 200))}</code>:
    </strong>{' '}
    {why}. Write a position of the log (<code>at=1042</code>) or a time with its zone (
    <code>at=2026-01-31T12:00:00Z</code>), or choose a moment here.
  </p>
)

const NoMoment = ({ children }: Children) => (
  <main id="main" tabIndex={-1}>
    <h1>No such moment</h1>
    {children}
    <p>
      <Link to={inPresent(useAddress())}>Back to now</Link>
    </p>
  </main>
)
