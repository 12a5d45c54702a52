import { go, Link } from '../../address/use-address.tsx'
import { Icon, type IconName } from '../../parts/icon.tsx'
import { Name } from '../../parts/name.tsx'
import { count, moment } from '../../parts/words.ts'
import type { Around } from './around.ts'
import { typedMoment } from './moment.ts'

type Event = NonNullable<Around['event']>

interface MomentProps {
  readonly label: string
  /** Undefined: now. */
  readonly time: Date | undefined
  /** The address of this page as of a moment. */
  readonly to: (at: string) => string
}

/** Of when it is; another one is typed over it. */
export const MomentField = ({ label, time, to }: MomentProps) => {
  const words = time ? moment(time) : 'now'
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
          <Icon of="clock" /> {label}
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
  /** Whose steps they are, for screen readers. */
  readonly name?: string
  readonly to: MomentProps['to']
}

export const Steps = ({
  around: { event, before, after, first, last },
  name = 'Steps through the log',
  to,
}: StepsProps) => (
  <nav aria-label={name}>
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

export const StandsOn = ({ event, isPast }: { readonly event: Event | null; readonly isPast: boolean }) =>
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
