import { usePast } from '../api/use-past.ts'
import { clock, moment, span, zone } from './words.ts'

interface TimeProps {
  readonly at: string | Date
}

/** To the second; with the zone when it is pointed at. */
export const Time = ({ at }: TimeProps) => {
  const time = new Date(at)
  if (Number.isNaN(time.getTime())) return <span>{String(at)}</span>
  return (
    <time dateTime={time.toISOString()} title={`${moment(time)} ${zone(time)} (${time.toISOString()})`}>
      {moment(time)}
    </time>
  )
}

/** How long ago it was, as of `now`. */
export const Since = ({ at, now }: TimeProps & { readonly now: Date }) => {
  const time = new Date(at)
  return (
    <time dateTime={time.toISOString()} title={`${moment(time)} ${zone(time)}`}>
      {span((now.getTime() - time.getTime()) / 1000)}
    </time>
  )
}

/** Each number says as of when it holds; beside the past, on which day. */
export const AsOf = ({ at }: TimeProps) => {
  const past = usePast()
  return <span class="as-of">as of {(past ? moment : clock)(new Date(at))}</span>
}
