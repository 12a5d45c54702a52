import { changed, inPresent } from '../../address/address.ts'
import { go, Link, useAddress } from '../../address/use-address.tsx'
import type { Past } from '../../api/past.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Icon, type IconName } from '../../parts/icon.tsx'
import { Name } from '../../parts/name.tsx'
import { count, moment } from '../../parts/words.ts'
import type { Around } from './around.ts'
import { useTimeMachine } from './context.ts'
import { typedMoment } from './moment.ts'
import { Slider } from './slider.tsx'

type Event = NonNullable<Around['event']>

/** One row: of when the page is, steps from event to event, a slider over the log, and the ways out of the past. */
export const Row = () => {
  const { shown } = useTimeMachine()
  const address = useAddress()
  const { past, around } = shown.kind === 'past' ? shown : {}
  const { answered: now } = useAnswer('/api/v1/events/moment')
  const known = around ?? now?.data
  const to = (at: string) => changed(address, { at })
  return (
    <section class={past ? 'then past' : 'then'} aria-label={past ? 'The past' : 'Time machine'}>
      <Moment past={past} to={to} />
      {!known ? (
        <p class="waiting">Asking …</p>
      ) : !known.first || !known.last ? (
        <p class="none">The log has no events yet: there is no past.</p>
      ) : (
        <>
          <Steps around={known} to={to} />
          <Slider
            stands={past?.at ?? 'now'}
            time={past?.time ?? new Date(known.last.recordedAt)}
            says={<StandsOn event={known.event} isPast={past !== undefined} />}
            to={to}
          />
        </>
      )}
      {past && <Out past={past} />}
    </section>
  )
}

interface MomentProps {
  readonly past: Past | undefined
  /** The address of this page as of a moment. */
  readonly to: (at: string) => string
}

/** Of when it is; another one is typed over it. */
const Moment = ({ past, to }: MomentProps) => {
  const words = past ? moment(past.time) : 'now'
  const submit = (submitted: SubmitEvent) => {
    submitted.preventDefault()
    const field = (submitted.currentTarget as HTMLFormElement).elements.namedItem('at') as HTMLInputElement
    const at = typedMoment(field.value)
    field.setCustomValidity(at === undefined ? 'Write 2026-01-31 18:00, or the number of an event.' : '')
    if (at === undefined) field.reportValidity()
    else go(to(at))
  }
  return (
    <form class="row" onSubmit={submit} key={words} noValidate>
      <label>
        <span>
          <Icon of="clock" /> {past ? 'As it was' : 'Time machine'}
          <span class="unseen">: date and time, or number of an event</span>
        </span>
        <input
          name="at"
          defaultValue={words}
          autocomplete="off"
          onInput={({ currentTarget }) => currentTarget.setCustomValidity('')}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      </label>
    </form>
  )
}

interface StepsProps {
  readonly around: Around
  readonly to: MomentProps['to']
}

const Steps = ({ around: { event, before, after, first, last }, to }: StepsProps) => (
  <nav aria-label="Steps through the log">
    <ul class="seg">
      <Step says="First event" event={first} to={to} />
      <Step says="Event before" icon="left" event={before} to={to} />
      <Step says="Event after" icon="right" event={after} to={to} />
      <Step says="Last event" event={event === null || after !== null ? last : event} to={to} />
    </ul>
  </nav>
)

interface StepProps {
  readonly says: string
  readonly icon?: IconName
  readonly event: Event | null
  readonly to: MomentProps['to']
}

const Step = ({ says, icon, event, to }: StepProps) => (
  <li title={says}>
    {event ? (
      <Link to={to(event.position)} label={says}>
        {icon ? <Icon of={icon} /> : says.split(' ')[0]}
      </Link>
    ) : (
      <span class="why">
        {icon && <Icon of={icon} />}
        <span class="unseen">{says}: none</span>
      </span>
    )}
  </li>
)

const StandsOn = ({ event, isPast }: { readonly event: Event | null; readonly isPast: boolean }) =>
  event === null ? (
    <>Before the first event: nothing had happened yet.</>
  ) : (
    <>
      {isPast ? '' : 'last, '}event <Link to={`/log/events/${event.position}`}>{count(event.position)}</Link>:{' '}
      <strong>
        <Name text={event.type} />
      </strong>{' '}
      of <Name text={event.stream} to={`/log/streams/${encodeURIComponent(event.stream)}`} />
    </>
  )

const Out = ({ past: { at } }: { readonly past: Past }) => (
  <nav aria-label="Out of the past">
    <Link class="button" to={`/compare?since=${encodeURIComponent(at)}&at=`}>
      <Icon of="compare" />
      What changed since
    </Link>
    <Link class="button main" to={inPresent(useAddress())}>
      Back to now
    </Link>
    <span class="unseen" role="status">
      The past is shown: commands are off.
    </span>
  </nav>
)
