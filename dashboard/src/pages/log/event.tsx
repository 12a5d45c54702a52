import { Link } from '../../address/use-address.tsx'
import type { Past } from '../../api/past.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { usePast } from '../../api/use-past.ts'
import { Actor } from '../../parts/actor.tsx'
import { Answer } from '../../parts/answer.tsx'
import { Json } from '../../parts/json.tsx'
import { Name } from '../../parts/name.tsx'
import { proofAt } from '../../parts/prove.tsx'
import { Time } from '../../parts/time.tsx'
import { count } from '../../parts/words.ts'
import type { PageProps } from '../../shell/lazy.tsx'
import type { LogEvent } from './event-list.tsx'
import { eventAt, streamAt } from './event-list.tsx'
import { LogMenu } from './log-menu.tsx'
import { type Branch, treesOf } from './tree.ts'

/** One event: what it says, what led to it, and what it led to. */
const EventPage = ({ values: { position = '' } }: PageProps) => (
  <>
    <h1>Event {position}</h1>
    <LogMenu />
    <Answer of={useAnswer('/api/v1/events/{position}', { path: { position } })}>
      {(event) => <Told event={event} />}
    </Answer>
    <h2>What led to it, and what it led to</h2>
    <Answer of={useAnswer('/api/v1/events/{position}/related', { path: { position } })}>
      {({ events, isFromStart, isToEnd }) => (
        <>
          {treesOf(events).map(({ cause, effects }) => (
            <div key={cause}>
              <p>
                Led to by <Name text={cause} />, which is no event shown here: a message, a command, or an
                older event.
              </p>
              <Branches branches={effects} position={position} />
            </div>
          ))}
          {!isFromStart && (
            <p class="why">
              Older events of this conversation, if any, lie too far back to be looked for here.
            </p>
          )}
          {!isToEnd && (
            <p class="why">
              Newer events of this conversation, if any, lie too far on to be looked for here.
            </p>
          )}
        </>
      )}
    </Answer>
  </>
)

const Told = ({ event }: { readonly event: LogEvent }) => {
  const { type, stream, revision, recordedAt, metadata, data, id, position } = event
  const past = usePast()
  return (
    <>
      {past && isLater(past, position, recordedAt) && (
        <p class="of-now">This event came later than the moment that is shown: it had not happened then.</p>
      )}
      <dl class="facts">
        <dt>Type</dt>
        <dd>
          <Name text={type} />
        </dd>
        <dt>Stream</dt>
        <dd>
          <Name text={stream} to={streamAt(stream)} isWhole />, revision {revision}
        </dd>
        <dt>Taken at</dt>
        <dd>
          <Time at={recordedAt} />
        </dd>
        <dt>By</dt>
        <dd>
          <Actor text={metadata.actor} />
        </dd>
        <dt>Id</dt>
        <dd>
          <code>{id}</code>
        </dd>
      </dl>
      <p class="buttons">
        <Link to={proofAt(position, id)} class="button">
          Prove
        </Link>
      </p>
      <h2>Data</h2>
      <Json value={data} says="Data" />
      <h2>Metadata</h2>
      <Json value={metadata} says="Metadata" />
    </>
  )
}

const isLater = ({ at, time }: Past, position: string, recordedAt: string): boolean =>
  /^\d+$/.test(at) ? BigInt(position) > BigInt(at) : new Date(recordedAt) > time

interface BranchesProps {
  readonly branches: readonly Branch<LogEvent>[]
  readonly position: string
}

const Branches = ({ branches, position }: BranchesProps) => (
  <ul class="tree">
    {branches.map(({ event, effects }) => (
      <li key={event.id}>
        {event.position === position ? (
          <span class="here">
            ▶ {count(event.position)} <Name text={event.type} /> (this one)
          </span>
        ) : (
          <Link to={eventAt(event.position)}>
            {count(event.position)} {event.type}
          </Link>
        )}{' '}
        <Name text={event.stream} />
        {effects.length > 0 && <Branches branches={effects} position={position} />}
      </li>
    ))}
  </ul>
)

export default EventPage
