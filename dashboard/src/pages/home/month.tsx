import { useState } from 'preact/hooks'
import { dayWords, plural } from '../../parts/words.ts'
import { amountWords, type Lane, type Overview, titled } from './overview.ts'

const step = 10
const height = 16

/** The last 30 days (UTC), a box a day: depth is amount, a diamond is what went wrong, and a hatch is a day without work. */
export const Month = ({ overview: { lanes } }: { readonly overview: Overview }) => {
  const [told, tell] = useState<string>()
  const days = lanes[0]?.days ?? []
  return (
    <section aria-labelledby="month">
      <div class="ph">
        <h2 id="month">The last {plural(days.length, 'day')}</h2>
        <ul class="legend end" aria-label="Legend">
          <li>
            <i class="key done" /> done, nothing wrong
          </li>
          <li>
            <i class="key wrong" /> something went wrong
          </li>
          <li>
            <i class="key none" /> nothing was done
          </li>
        </ul>
      </div>
      <div class="month">
        <svg class="defs" aria-hidden="true">
          <pattern
            id="hatch"
            width="4"
            height="4"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect class="line" width="2" height="4" />
          </pattern>
        </svg>
        {lanes.map((lane) => (
          <Row key={lane.workflow} lane={lane} tell={tell} />
        ))}
        <p class="ends">
          <span>{dayWords(days[0]?.day ?? '')}</span>
          <output aria-live="polite">{told ?? 'Days of UTC'}</output>
          <span>today</span>
        </p>
      </div>
    </section>
  )
}

interface RowProps {
  readonly lane: Lane
  readonly tell: (words: string | undefined) => void
}

const Row = ({ lane, tell }: RowProps) => {
  const [at, setAt] = useState<number>()
  const { days, workflow, isCounted } = lane
  const most = Math.max(...days.map(({ done }) => done), 1)
  const show = (i: number | undefined) => {
    setAt(i)
    const day = i === undefined ? undefined : days[i]
    tell(day && `${titled(workflow)}, ${dayWords(day.day)}: ${amountWords(lane, day)}`)
  }
  const move = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    show(Math.min(Math.max((at ?? (by > 0 ? -1 : days.length)) + by, 0), days.length - 1))
  }
  return (
    <>
      <span class="of">{titled(workflow)}</span>
      {isCounted ? (
        <svg
          role="img"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: its values are read by the arrow keys
          tabIndex={0}
          viewBox={`0 0 ${days.length * step} ${height}`}
          preserveAspectRatio="none"
          aria-label={inWords(lane)}
          onKeyDown={move}
          onBlur={() => show(undefined)}
          onPointerLeave={() => show(undefined)}
        >
          {days.map(({ day, done, wrong, odd }, i) => (
            <g key={day} transform={`translate(${i * step})`} onPointerEnter={() => show(i)}>
              <rect
                class={wrong > 0 ? 'wrong' : done + odd > 0 ? 'done' : undefined}
                fill="url(#hatch)"
                x={0.6}
                width={step - 1.2}
                height={height}
                fill-opacity={wrong > 0 || done + odd === 0 ? 1 : 0.35 + 0.65 * (done / most)}
              />
              {wrong > 0 && <path class="diamond" d="M5 4l1.2 4L5 12 3.8 8z" />}
              {i === at && <rect class="at" x={0.6} width={step - 1.2} height={height} />}
            </g>
          ))}
        </svg>
      ) : (
        <span class="why">is being counted</span>
      )}
    </>
  )
}

/** All of it in a sentence: for those who do not see it. */
const inWords = (lane: Lane): string => {
  const { workflow, days } = lane
  const sum = (of: 'done' | 'wrong' | 'odd') => days.reduce((total, day) => total + day[of], 0)
  const wrong = days.filter((day) => day.wrong > 0).map(({ day }) => dayWords(day))
  const idle = days.filter((day) => day.done + day.wrong + day.odd === 0).length
  return [
    `${titled(workflow)}, ${plural(days.length, 'day')}: ${amountWords(lane, { done: sum('done'), wrong: sum('wrong'), odd: sum('odd') })}`,
    wrong.length === 0 ? 'nothing went wrong' : `something went wrong on ${wrong.join(', ')}`,
    ...(idle > 0 ? [`nothing was done on ${plural(idle, 'day')}`] : []),
  ].join('; ')
}
