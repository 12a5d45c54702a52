import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { dayWords } from './words.ts'

/** Widths of a drawing: of a column, and of the gap within it. */
export const column = { step: 10, gap: 2, height: 100 } as const

interface ChartProps {
  /** What is counted, in which unit. */
  readonly says: string
  /** All of it in a sentence: for those who do not see it. */
  readonly words: string
  /** Names of the columns, as in `2026-01-31`. */
  readonly labels: readonly string[]
  /** At the top of its axis. */
  readonly top: string
  /** What a column tells. */
  readonly told: (i: number) => string
  /** Draws a column, within `column`. */
  readonly draw: (i: number) => ComponentChildren
  readonly kind: string
}

/** Columns over an axis. What the one under the pointer tells, or the one that the arrow keys stand on, stands below. */
export const Chart = ({ says, words, labels, top, told, draw, kind }: ChartProps) => {
  const [at, setAt] = useState<number>()
  const below = useId()
  const { step, height } = column
  const move = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    setAt(Math.min(Math.max((at ?? (by > 0 ? -1 : labels.length)) + by, 0), labels.length - 1))
  }
  return (
    <figure class="chart">
      <div class="y" aria-hidden="true">
        <span>{top}</span>
        <span>0</span>
      </div>
      <svg
        class={kind}
        role="img"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: its values are read by the arrow keys
        tabIndex={0}
        preserveAspectRatio="none"
        viewBox={`0 0 ${labels.length * step} ${height}`}
        aria-label={words}
        aria-describedby={below}
        onKeyDown={move}
        onBlur={() => setAt(undefined)}
        onPointerLeave={() => setAt(undefined)}
      >
        {labels.map((label, i) => (
          <g key={label} transform={`translate(${i * step})`} onPointerEnter={() => setAt(i)}>
            <rect class={i === at ? 'hit on' : 'hit'} width={step} height={height} />
            {draw(i)}
          </g>
        ))}
      </svg>
      <figcaption class="x">
        <span>{dayWords(labels[0] ?? '')}</span>
        <output id={below} aria-live="polite">
          {at === undefined ? says : `${dayWords(labels[at] ?? '')}: ${told(at)}`}
        </output>
        <span>{dayWords(labels.at(-1) ?? '')}</span>
      </figcaption>
    </figure>
  )
}
