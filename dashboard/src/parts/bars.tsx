import { useId, useState } from 'preact/hooks'
import { compact, count, dayWords } from './words.ts'

interface Bar {
  /** A day, as in `2026-01-31`, or any other name. */
  readonly label: string
  readonly value: number
}

interface BarsProps {
  /** What is counted, as in `Checks a day`. */
  readonly says: string
  readonly bars: readonly Bar[]
  readonly isTall?: boolean
}

const [step, gap, height] = [10, 2, 100]

/** Amounts over an axis. The value under the pointer, or that the arrow keys stand on, is told below. */
export const Bars = ({ says, bars, isTall = false }: BarsProps) => {
  const [at, setAt] = useState<number>()
  const told = useId()
  const most = Math.max(...bars.map(({ value }) => value), 0)
  const total = bars.reduce((sum, { value }) => sum + value, 0)
  const [first, last] = [bars[0]?.label ?? '', bars.at(-1)?.label ?? '']
  const words = `${says}, ${first} to ${last}: ${count(total)} in all, ${count(most)} at most`
  const chosen = at === undefined ? undefined : bars[at]
  const move = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    setAt(Math.min(Math.max((at ?? (by > 0 ? -1 : bars.length)) + by, 0), bars.length - 1))
  }
  return (
    <figure class="chart">
      <div class="y" aria-hidden="true">
        <span>{compact(most)}</span>
        <span>0</span>
      </div>
      <svg
        class={isTall ? 'bars tall' : 'bars'}
        role="img"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: its values are read by the arrow keys
        tabIndex={0}
        preserveAspectRatio="none"
        viewBox={`0 0 ${bars.length * step} ${height}`}
        aria-label={words}
        aria-describedby={told}
        onKeyDown={move}
        onBlur={() => setAt(undefined)}
        onPointerLeave={() => setAt(undefined)}
      >
        {bars.map(({ label, value }, i) => {
          const tall = value === 0 ? 0 : Math.max(2, (value / most) * height)
          return (
            <g key={label} onPointerEnter={() => setAt(i)}>
              <rect class={i === at ? 'hit on' : 'hit'} x={i * step} y={0} width={step} height={height} />
              <rect x={i * step + gap / 2} y={height - tall} width={step - gap} height={tall} />
            </g>
          )
        })}
      </svg>
      <figcaption class="x">
        <span>{dayWords(first)}</span>
        <output id={told} aria-live="polite">
          {chosen ? `${dayWords(chosen.label)}: ${count(chosen.value)}` : says}
        </output>
        <span>{dayWords(last)}</span>
      </figcaption>
    </figure>
  )
}
