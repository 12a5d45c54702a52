import { count } from '../../parts/words.ts'
import { type Counts, inWords, tones, tonesOf } from './states.ts'

interface DayChartProps {
  readonly store: string
  readonly days: readonly (Counts & { readonly day: string })[]
}

const [width, height, gap] = [8, 48, 2]
/** What is bad is seen among a million. */
const least = 3

/** A column a day: what share of the items had each tone. Its words say the same. */
export const DayChart = ({ store, days }: DayChartProps) => {
  const last = days.at(-1)
  const words = `Items of ${store} by state, ${days[0]?.day} to ${last?.day}; at last ${last ? inWords(last) : 'none'}`
  return (
    <figure>
      <svg
        class="days"
        role="img"
        viewBox={`0 0 ${days.length * (width + gap)} ${height}`}
        preserveAspectRatio="none"
        aria-label={words}
      >
        <title>{words}</title>
        {days.map((day, i) => (
          <g key={day.day}>
            <title>{`${day.day}: ${day.expected === 0 ? 'nothing recorded' : inWords(day)}`}</title>
            {heightsOf(day).map(({ tone, y, tall }) => (
              <rect key={tone} class={tone} x={i * (width + gap)} y={y} width={width} height={tall} />
            ))}
          </g>
        ))}
      </svg>
      <figcaption class="ends">
        <span>{days[0]?.day}</span> <span>{last?.day}</span>
      </figcaption>
    </figure>
  )
}

/** From the top of the column down, the worst on top. Days with nothing recorded stay empty. */
const heightsOf = (day: Counts) => {
  const sums = tonesOf(day)
  const shown = tones.toReversed().filter((tone) => sums[tone] > 0)
  const raised = shown.map((tone) => Math.max(least, (sums[tone] / day.expected) * height))
  const all = raised.reduce((sum, tall) => sum + tall, 0)
  let y = 0
  return shown.map((tone, i) => {
    const tall = ((raised[i] as number) / all) * height
    const from = y
    y += tall
    return { tone, y: from, tall }
  })
}

/** What the colours mean, by words and by how many. */
export const Legend = ({ counts }: { readonly counts: Counts }) => {
  const sums = tonesOf(counts)
  return (
    <ul class="legend">
      {tones.map((tone) => (
        <li key={tone}>
          <span class={`swatch ${tone}`} aria-hidden="true">
            {shapes[tone]}
          </span>{' '}
          {count(sums[tone])} {meanings[tone]}
        </li>
      ))}
    </ul>
  )
}

export const shapes = { good: '●', unsaid: '○', late: '▲', bad: '■' } as const

export const meanings = {
  good: 'verified, baselined, or accepted',
  unsaid: 'never checked, not read, or with nothing to compare',
  late: 'late, suspect or parked',
  bad: 'not as recorded, or lost',
} as const
