import { compact, count } from './words.ts'

interface Bar {
  readonly label: string
  readonly value: number
}

interface BarsProps {
  /** What is counted, as in `checks a day`. */
  readonly says: string
  readonly bars: readonly Bar[]
}

const [width, height, gap] = [8, 32, 2]

/** A small chart of the last days; its words say the same. */
export const Bars = ({ says, bars }: BarsProps) => {
  const most = Math.max(...bars.map(({ value }) => value), 0)
  const total = bars.reduce((sum, { value }) => sum + value, 0)
  const first = bars[0]?.label
  const last = bars.at(-1)?.label
  const words = `${says}, ${first} to ${last}: ${count(total)} in all, ${count(most)} at most`
  return (
    <svg
      class="bars"
      role="img"
      preserveAspectRatio="xMinYMax"
      viewBox={`0 0 ${bars.length * (width + gap)} ${height}`}
      aria-label={words}
    >
      <title>{words}</title>
      {bars.map(({ label, value }, i) => {
        const tall = most === 0 ? 0 : Math.max(value > 0 ? 2 : 0, (value / most) * height)
        return (
          <rect
            key={label}
            x={i * (width + gap)}
            y={height - Math.max(tall, 1)}
            width={width}
            height={Math.max(tall, 1)}
          >
            <title>{`${label}: ${compact(value)}`}</title>
          </rect>
        )
      })}
    </svg>
  )
}
