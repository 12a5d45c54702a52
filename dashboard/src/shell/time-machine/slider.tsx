import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { go } from '../../address/use-address.tsx'
import { type Answer as AnswerOf, get, Refused } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Trouble } from '../../parts/trouble.tsx'
import { count, moment, plural } from '../../parts/words.ts'
import { isWithin, spanAround, spansWithin, type TimeSpan } from './spans.ts'
import { useEventAt } from './use-event-at.ts'

interface SliderProps {
  /** Of the moment that is shown. */
  readonly time: Date
  readonly to: (at: string) => string
}

const stretches = 120

/** The length of the log, or of a part of it, with how much happened when below. Let go of, it stands on an event. */
export const Slider = ({ time, to }: SliderProps) => {
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
        <label class="row">
          The slider shows{' '}
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
        <Range times={whole.answered.data} time={time} to={to} />
      ) : (
        <Part key={length} log={log} length={length} time={time} to={to} />
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
const Part = ({ log, length, time, to }: PartProps) => {
  const kept = useRef<TimeSpan>(undefined)
  if (!kept.current || !isWithin(kept.current, time.getTime()))
    kept.current = spanAround(log, time.getTime(), length)
  const { since, until } = kept.current
  const query = { since: new Date(since).toISOString(), until: new Date(until).toISOString(), stretches }
  const { answered, problem } = useAnswer('/api/v1/events/times', { query })
  if (!answered) return problem ? <Trouble problem={problem} /> : <p class="waiting">Asking …</p>
  return <Range times={answered.data} time={time} to={to} />
}

const Range = ({ times, time, to }: SliderProps & { readonly times: Times }) => {
  const id = useId()
  const begin = Date.parse(times.since ?? '')
  const seconds = Math.max(0, Math.round((Date.parse(times.until ?? '') - begin) / 1000) - 1)
  const shown = Math.min(Math.max(Math.floor((time.getTime() - begin) / 1000), 0), seconds)
  const [moved, setMoved] = useState<number>()
  useEffect(() => setMoved(undefined), [time.getTime(), begin, seconds])
  /** To the end of that second. */
  const at = (value: number) => new Date(begin + value * 1000 + 999).toISOString()
  const event = useEventAt(moved === undefined ? undefined : at(moved))
  const value = moved ?? shown
  const words = `${moment(new Date(begin + value * 1000))}${event ? `, event ${count(event.position)}, ${event.type}` : ''}`
  return (
    <div class="slider">
      <label for={id}>
        Moment: <output>{words}</output>
      </label>
      <input
        id={id}
        type="range"
        min={0}
        max={seconds}
        step={1}
        value={value}
        disabled={seconds === 0}
        aria-valuetext={words}
        onInput={({ currentTarget }) => setMoved(Number(currentTarget.value))}
        onChange={({ currentTarget }) => void stand(at(Number(currentTarget.value)), to)}
      />
      <Density times={times} />
      {seconds === 0 && <p class="why">All of it happened within one second: go by steps.</p>}
    </div>
  )
}

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
const Density = ({ times: { stretches, seconds } }: { readonly times: Times }) => {
  const most = Math.max(1, ...stretches.map(({ events }) => events))
  const total = stretches.reduce((sum, { events }) => sum + events, 0)
  const words = `Events over this time: ${count(total)} in all, ${count(most)} at most in ${plural(seconds, 'second')}`
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
