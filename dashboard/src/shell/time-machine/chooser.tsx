import { go, Link } from '../../address/use-address.tsx'
import type { Past } from '../../api/past.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Name } from '../../parts/name.tsx'
import { Time } from '../../parts/time.tsx'
import { count } from '../../parts/words.ts'
import type { Around } from './around.ts'
import { endOfSecond } from './moment.ts'
import { Slider } from './slider.tsx'

interface ChooserProps {
  readonly past: Past | undefined
  /** Of the moment that is shown. */
  readonly around: Around | undefined
  /** The address of this page as of a moment. */
  readonly to: (at: string) => string
}

type Event = NonNullable<Around['event']>

/** A moment is chosen by the event that it stands on, by a step from that, or by a time. */
export const Chooser = ({ past, around, to }: ChooserProps) => {
  const { answered: now } = useAnswer('/api/v1/events/moment')
  const shown = around ?? now?.data
  if (!shown) return <p class="waiting">Asking …</p>
  const { event, before, after, first, last } = shown
  if (!first || !last) return <p class="none">The log has no events yet: there is no past.</p>
  return (
    <div class="chooser">
      <StandsOn event={event} isPast={past !== undefined} />
      <nav aria-label="Steps through the log">
        <ul>
          <Step says="First event" event={first} to={to} none="" />
          <Step says="Event before" event={before} to={to} none="Event before: none" />
          <Step says="Event after" event={after} to={to} none="Event after: none yet" />
          <Step says="Last event" event={last} to={to} none="" />
        </ul>
      </nav>
      <Slider stands={past?.at ?? 'now'} time={past?.time ?? new Date(last.recordedAt)} to={to} />
      <ByTime to={to} />
    </div>
  )
}

const StandsOn = ({ event, isPast }: { readonly event: Event | null; readonly isPast: boolean }) =>
  event === null ? (
    <p>It stands before the first event.</p>
  ) : (
    <p>
      {isPast ? 'It stands on event ' : 'The log ends with event '}
      <Link to={`/log/events/${event.position}`}>{count(event.position)}</Link>: <Name text={event.type} /> of{' '}
      <Name text={event.stream} to={`/log/streams/${encodeURIComponent(event.stream)}`} />, taken at{' '}
      <Time at={event.recordedAt} />.
    </p>
  )

interface StepProps {
  readonly says: string
  readonly event: Event | null
  readonly none: string
  readonly to: ChooserProps['to']
}

const Step = ({ says, event, none, to }: StepProps) => (
  <li>{event ? <Link to={to(event.position)}>{says}</Link> : <span class="why">{none}</span>}</li>
)

const ByTime = ({ to }: Pick<ChooserProps, 'to'>) => {
  const submit = (submitted: SubmitEvent) => {
    submitted.preventDefault()
    const asked = new FormData(submitted.currentTarget as HTMLFormElement)
    const at = String(asked.get('position')).trim() || endOfSecond(String(asked.get('time')))
    if (at) go(to(at))
  }
  return (
    <form class="row" onSubmit={submit}>
      <label>
        Date and time
        <input name="time" type="datetime-local" step={1} />
      </label>
      <label>
        or number of an event
        <input name="position" inputMode="numeric" pattern="[0-9]{1,18}" size={10} autocomplete="off" />
      </label>
      <button type="submit">Go there</button>
    </form>
  )
}
