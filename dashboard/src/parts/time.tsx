import { useEffect, useState } from 'preact/hooks'
import { useNow, usePast } from '../api/use-past.ts'
import { ago, at as shortAt } from './short-time.ts'
import { clock, moment, span, zone } from './words.ts'

interface TimeProps {
  readonly at: string | Date
}

interface ShortProps extends TimeProps {
  /** `when`, as it follows *since* or *until*; otherwise how long ago. `whole` on documents. */
  readonly form?: 'ago' | 'when' | 'whole'
}

/** In few words; whole, with its zone, under the pointer, in copies, on paper and for screen readers. */
export const Time = ({ at, form = 'ago' }: ShortProps) => {
  const now = useNow()
  useMinutes()
  const time = new Date(at)
  if (Number.isNaN(time.getTime())) return <span>{String(at)}</span>
  const whole = {
    dateTime: time.toISOString(),
    title: `${moment(time)} ${zone(time)} (${time.toISOString()})`,
  }
  return form === 'whole' ? (
    <time {...whole}>{moment(time)}</time>
  ) : (
    <time {...whole} data-short={(form === 'ago' ? ago : shortAt)(time, now)}>
      <span>{moment(time)}</span>
    </time>
  )
}

const readers = new Set<() => void>()
let isTicking = false

/** What says how long ago something was says so anew twice a minute. */
const useMinutes = (): void => {
  const [, draw] = useState(0)
  useEffect(() => {
    const again = () => draw((n) => n + 1)
    readers.add(again)
    if (!isTicking)
      setInterval(() => {
        for (const reader of readers) reader()
      }, 30_000)
    isTicking = true
    return () => {
      readers.delete(again)
    }
  }, [])
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
