import { useState } from 'preact/hooks'
import { changed } from '../../address/address.ts'
import { Link, useAddress } from '../../address/use-address.tsx'
import type { Answer as AnswerOf } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { usePast } from '../../api/use-past.ts'
import { Answer } from '../../parts/answer.tsx'
import { Name } from '../../parts/name.tsx'
import { MomentField, StandsOn, Steps } from '../../shell/time-machine/fields.tsx'
import { isMoment, isPosition } from '../../shell/time-machine/moment.ts'
import { Slider } from '../../shell/time-machine/slider.tsx'
import { AllViews } from './all-views.tsx'
import './compare.css'
import { OneView } from './one-view.tsx'
import { People } from './people.tsx'
import { momentWords } from './words.ts'

/** What is not the same at two moments; `?since=…&at=…`, of one view `&view=…`, from one of its rows on `&after=…`. */
const Compare = () => {
  const address = useAddress()
  const { query } = address
  const past = usePast()
  const since = query.get('since') ?? ''
  const view = query.get('view') ?? ''
  return (
    <>
      <h1>
        {isMoment(since)
          ? `What changed since ${momentWords(since)}${past ? `, until ${momentWords(past.at)}` : ''}`
          : 'What changed since …'}
      </h1>
      <section aria-labelledby="moments">
        <h2 id="moments">The two moments</h2>
        <Ends since={isMoment(since) ? since : undefined} until={past?.at} />
      </section>
      {since === '' ? (
        <p class="none">Choose since when.</p>
      ) : !isMoment(since) ? (
        <p class="trouble" role="status">
          since=
          <Name text={since} />: that is no moment. Write a position of the log (<code>since=1042</code>) or a
          time with its zone (<code>since=2026-01-31T12:00:00Z</code>).
        </p>
      ) : view === '' ? (
        <>
          <People between={{ since, until: past?.at }} />
          <Raw between={{ since, until: past?.at }} />
        </>
      ) : (
        <>
          <p>
            <Link to={changed(address, { view: undefined, after: undefined })}>All that changed</Link>
          </p>
          <OneView view={view} between={{ since, until: past?.at }} />
        </>
      )}
    </>
  )
}

interface EndsProps {
  readonly since: string | undefined
  /** Undefined: now. */
  readonly until: string | undefined
}

/** Both ends of the time that is compared, each moved by itself. */
const Ends = ({ since, until }: EndsProps) => {
  const address = useAddress()
  return (
    <>
      <End label="From" at={since} to={(at) => changed(address, { since: at, after: undefined })} />
      <End label="To" at={until} to={(at) => changed(address, { at, after: undefined })} />
    </>
  )
}

interface EndProps {
  readonly label: string
  readonly at: string | undefined
  readonly to: (at: string) => string
}

const End = ({ label, at, to }: EndProps) => (
  <Answer of={useAnswer('/api/v1/events/moment', { query: at === undefined ? {} : { at } })}>
    {(around) => <EndAt label={label} at={at} around={around} to={to} />}
  </Answer>
)

const EndAt = ({
  label,
  at,
  around,
  to,
}: EndProps & { readonly around: AnswerOf<'/api/v1/events/moment'> }) => {
  const { event, first, last } = around
  const near = event ?? first
  const time =
    at === undefined ? undefined : isPosition(at) ? near && new Date(near.recordedAt) : new Date(at)
  return (
    <div class="end-of">
      <MomentField
        label={label}
        time={label === 'From' && at === undefined ? undefined : (time ?? undefined)}
        to={to}
      />
      <Steps name={`Steps of ${label}`} around={around} to={to} />
      {last && (
        <Slider
          stands={at ?? 'now'}
          name={label}
          time={time ?? new Date(last.recordedAt)}
          says={<StandsOn event={event} isPast={at !== undefined} />}
          to={to}
        />
      )}
    </div>
  )
}

/** All views with their columns, for whoever looks closer; asked for once it is opened. */
const Raw = ({ between }: { readonly between: { since: string; until: string | undefined } }) => {
  const [isOpen, open] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => open(currentTarget.open)}>
      <summary>View by view, with their columns</summary>
      {isOpen && <AllViews between={between} />}
    </details>
  )
}

export default Compare
