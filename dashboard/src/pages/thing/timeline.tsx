import { Link } from '../../address/use-address.tsx'
import type { Answer } from '../../api/client.ts'
import { Actor } from '../../parts/actor.tsx'
import { Name } from '../../parts/name.tsx'
import { clock } from '../../parts/words.ts'
import { inWords, says, workflowOf } from './event-words.ts'

type LogEvent = Answer<'/api/v1/events/{position}'>

const dayOf = (time: string): string => new Date(time).toDateString()

/** Events as a story: a heading for each day, and of each event when, what, by whom, and why. */
export const Timeline = ({ events }: { readonly events: readonly LogEvent[] }) => (
  <>
    {[...Map.groupBy(events, ({ recordedAt }) => dayOf(recordedAt))].map(([day, told]) => (
      <section key={day} aria-label={day}>
        <h2>{day}</h2>
        <ol class="timeline">
          {told.map((event) => (
            <Told key={event.position} event={event} />
          ))}
        </ol>
      </section>
    ))}
  </>
)

const Told = ({
  event: { type, stream, position, recordedAt, data, metadata },
}: {
  readonly event: LogEvent
}) => {
  const sentence = says(data)
  return (
    <li>
      <time dateTime={recordedAt}>{clock(new Date(recordedAt))}</time>
      <div>
        <Link to={`/log/events/${position}`}>{inWords(type)}</Link>{' '}
        <span class="kind">
          {workflowOf(stream)}, <Name text={stream} />, by <Actor text={metadata.actor} />
        </span>
        {sentence !== undefined && (
          <p>
            <Name text={sentence} isWhole={sentence.length <= 400} />
          </p>
        )}
      </div>
    </li>
  )
}
