import { Chart, column } from '../../parts/chart.tsx'
import { count } from '../../parts/words.ts'
import { type Counts, inWords, tones, tonesOf } from './states.ts'

interface DayChartProps {
  readonly store: string
  readonly days: readonly (Counts & { readonly day: string })[]
}

/** What is bad is seen among a million. */
const least = 6

/** A column a day: what share of the items had each tone. Days with nothing recorded are hatched. */
export const DayChart = ({ store, days }: DayChartProps) => {
  const last = days.at(-1)
  return (
    <Chart
      kind="bars days"
      says="Items by state a day"
      words={`Items of ${store} by state, ${days[0]?.day} to ${last?.day}; at last ${last ? inWords(last) : 'none'}`}
      labels={days.map(({ day }) => day)}
      top="100 %"
      told={(i) => {
        const day = days[i]
        return day === undefined || day.expected === 0 ? 'nothing recorded' : inWords(day)
      }}
      draw={(i) => <Column day={days[i]} />}
    />
  )
}

const Column = ({ day }: { readonly day: Counts | undefined }) => {
  const { gap, step, height } = column
  const place = { x: gap / 2, width: step - gap }
  return day === undefined || day.expected === 0 ? (
    <rect class="nothing" {...place} y={height - 6} height={6} />
  ) : (
    <>
      {heightsOf(day).map(({ tone, y, tall }) => (
        <rect key={tone} class={tone} {...place} y={y} height={tall} />
      ))}
    </>
  )
}

/** From the top of the column down, the worst on top. Days with nothing recorded stay empty. */
const heightsOf = (day: Counts) => {
  const sums = tonesOf(day)
  const shown = tones.toReversed().filter((tone) => sums[tone] > 0)
  const raised = shown.map((tone) => Math.max(least, (sums[tone] / day.expected) * column.height))
  const all = raised.reduce((sum, tall) => sum + tall, 0)
  let y = 0
  return shown.map((tone, i) => {
    const tall = ((raised[i] as number) / all) * column.height
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
