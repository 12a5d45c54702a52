import type { ComponentChildren } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'
import { go } from '../../address/use-address.tsx'
import { type Answer as AnswerOf, get, Refused } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Trouble } from '../../parts/trouble.tsx'
import { count, moment, plural } from '../../parts/words.ts'
import { isWithin, spanAround, spansWithin, type TimeSpan } from './spans.ts'
import { useEventAt } from './use-event-at.ts'

interface SliderProps {
  /** The moment that is shown, by its name in the address. */
  readonly stands: string
  readonly time: Date
  /** What it moves. */
  readonly name?: string
  /** The event that it stands on. */
  readonly says: ComponentChildren
  readonly to: (at: string) => string
}

const stretches = 120

/** The length of the log, or of a part of it, with how much happened when below. Let go of, it stands on an event. */
export const Slider = (shown: SliderProps) => {
  const whole = useAnswer('/api/v1/events/times', { query: { stretches } })
  const [length, setLength] = useState<number>()
  if (!whole.answered)
    return whole.problem ? <Trouble problem={whole.problem} /> : <p class="waiting">Asking …</p>
  const { since, until } = whole.answered.data
  if (since === null || until === null) return null
  const log = { since: Date.parse(since), until: Date.parse(until) }
  const spans = spansWithin(log)
  return (
    <>
      {spans.length > 0 && (
        <label>
          <span class="unseen">The slider shows</span>
          <select
            value={String(length ?? '')}
            onChange={({ currentTarget: { value } }) => setLength(value === '' ? undefined : Number(value))}
          >
            <option value="">the whole log</option>
            {spans.map(({ name, millis }) => (
              <option key={name} value={millis}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {length === undefined ? (
        <Range times={whole.answered.data} {...shown} />
      ) : (
        <Part key={length} log={log} length={length} {...shown} />
      )}
    </>
  )
}

type Times = AnswerOf<'/api/v1/events/times'>

interface PartProps extends SliderProps {
  readonly log: TimeSpan
  readonly length: number
}

/** It stays where it is while the moment is within it. */
const Part = ({ log, length, ...shown }: PartProps) => {
  const kept = useRef<TimeSpan>(undefined)
  if (!kept.current || !isWithin(kept.current, shown.time.getTime()))
    kept.current = spanAround(log, shown.time.getTime(), length)
  const { since, until } = kept.current
  const query = { since: new Date(since).toISOString(), until: new Date(until).toISOString(), stretches }
  const { answered, problem } = useAnswer('/api/v1/events/times', { query })
  if (!answered) return problem ? <Trouble problem={problem} /> : <p class="waiting">Asking …</p>
  return <Range times={answered.data} {...shown} />
}

const Range = ({
  times,
  stands,
  time,
  says,
  name = 'Moment',
  to,
}: SliderProps & { readonly times: Times }) => {
  const id = useId()
  const begin = Date.parse(times.since ?? '')
  const chosen = (input: HTMLInputElement) => begin + Number(input.value) * 1000
  const seconds = Math.max(0, Math.round((Date.parse(times.until ?? '') - begin) / 1000) - 1)
  // A move is over once another moment is shown. An effect that ended it could run behind the next one.
  const [move, setMove] = useState<{ readonly from: string; readonly to: number }>()
  if (move && move.from !== stands) setMove(undefined)
  const moved = move?.from === stands ? move.to : undefined
  const value = Math.min(Math.max(Math.floor(((moved ?? time.getTime()) - begin) / 1000), 0), seconds)
  const event = useEventAt(moved === undefined ? undefined : endOf(moved))
  const words = `${moment(new Date(begin + value * 1000))}${event ? `, event ${count(event.position)}, ${event.type}` : ''}`
  return (
    <div class="slider">
      <Density times={times} name={name} />
      <input
        id={id}
        type="range"
        aria-label={name}
        min={0}
        max={seconds}
        step={1}
        value={value}
        disabled={seconds === 0}
        aria-valuetext={words}
        onInput={({ currentTarget }) => setMove({ from: stands, to: chosen(currentTarget) })}
        onChange={({ currentTarget }) => void stand(endOf(chosen(currentTarget)), to)}
      />
      <p class="stands">{moved === undefined ? says : <output for={id}>{words}</output>}</p>
    </div>
  )
}

/** To the end of the second that begins then. */
const endOf = (second: number): string => new Date(second + 999).toISOString()

/** Goes to the event that is the last one up to a time. */
const stand = async (at: string, to: SliderProps['to']): Promise<void> => {
  try {
    const { data } = await get('/api/v1/events/moment', { query: { at } })
    go(to(data.event?.position ?? at), { replace: true })
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    // The page as of that time says why.
    go(to(at), { replace: true })
  }
}

/** Stretches in which little happened are seen beside those in which much did: heights grow with the square root. */
const Density = ({
  times: { stretches, seconds },
  name,
}: {
  readonly times: Times
  readonly name: string
}) => {
  const most = Math.max(1, ...stretches.map(({ events }) => events))
  const total = stretches.reduce((sum, { events }) => sum + events, 0)
  const words = `${name}: events over this time, ${count(total)} in all, ${count(most)} at most in ${plural(seconds, 'second')}`
  return (
    <svg
      class="density"
      role="img"
      aria-label={words}
      viewBox={`0 0 ${stretches.length} 100`}
      preserveAspectRatio="none"
    >
      <title>{words}</title>
      {stretches.map(({ from, events }, i) => {
        const tall = events === 0 ? 0 : Math.max(4, Math.sqrt(events / most) * 100)
        return <rect key={from} x={i} y={100 - tall} width={0.9} height={tall} />
      })}
    </svg>
  )
}
