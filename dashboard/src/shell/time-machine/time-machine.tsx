import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { changed, inPresent } from '../../address/address.ts'
import { Link, useAddress } from '../../address/use-address.tsx'
import { type Answered, get, type Problem } from '../../api/client.ts'
import type { Past } from '../../api/past.ts'
import { useAsked } from '../../api/use-answer.ts'
import { PastContext } from '../../api/use-past.ts'
import { visible } from '../../parts/name.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import type { Around } from './around.ts'
import { Banner } from './banner.tsx'
import { Chooser } from './chooser.tsx'
import { isPosition, type Wanted, wantedIn, whyNotYet } from './moment.ts'
import './time-machine.css'

/** What is shown: the present, a moment of the past, or nothing, which might be taken for either. */
type Shown =
  | { readonly kind: 'now' | 'looking' }
  | { readonly kind: 'past'; readonly past: Past; readonly around: Around }
  | { readonly kind: 'unfit'; readonly at: string; readonly why: string }
  | { readonly kind: 'refused'; readonly problem: Problem }

interface Children {
  readonly children: ComponentChildren
}

/** One control on every page: the moment that all of it is shown as of. It stands in the address, as `at`. */
export const TimeMachine = ({ children }: Children) => {
  const address = useAddress()
  const shown = useShown(wantedIn(address.query))
  const { past, around } = shown.kind === 'past' ? shown : {}
  const isNone = shown.kind === 'unfit' || shown.kind === 'refused'
  const [isOpen, open] = useState(false)
  useEffect(() => {
    if (isNone) open(true)
  }, [isNone])
  return (
    <>
      {past && around && <Banner past={past} around={around} />}
      <section class="time-machine" aria-label="Time machine">
        <details open={isOpen} onToggle={({ currentTarget }) => open(currentTarget.open)}>
          <summary>{past ? 'Time machine: another moment' : 'Time machine'}</summary>
          {isOpen && <Chooser past={past} around={around} to={(at) => changed(address, { at })} />}
        </details>
      </section>
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
