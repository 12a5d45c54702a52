import { Chart, column } from './chart.tsx'
import { compact, count } from './words.ts'

interface BarsProps {
  /** What is counted, as in `Checks a day`. */
  readonly says: string
  readonly bars: readonly {
    readonly label: string
    readonly value: number
    /** So much of it went wrong: a cap of the bar. */
    readonly wrong?: number
  }[]
}

/** Amounts, each a bar. */
export const Bars = ({ says, bars }: BarsProps) => {
  const { step, gap, height } = column
  const most = Math.max(...bars.map(({ value }) => value), 0)
  const total = bars.reduce((sum, { value }) => sum + value, 0)
  const [first, last] = [bars[0]?.label, bars.at(-1)?.label]
  return (
    <Chart
      kind="bars"
      says={says}
      words={`${says}, ${first} to ${last}: ${count(total)} in all, ${count(most)} at most`}
      labels={bars.map(({ label }) => label)}
      top={compact(most)}
      told={(i) => {
        const { value = 0, wrong = 0 } = bars[i] ?? {}
        return wrong > 0 ? `${count(value)}, ${count(wrong)} went wrong` : count(value)
      }}
      draw={(i) => {
        const { value = 0, wrong = 0 } = bars[i] ?? {}
        const tallOf = (n: number) => (n === 0 ? 0 : Math.max(2, (n / most) * height))
        const tall = tallOf(value)
        return (
          <>
            <rect x={gap / 2} y={height - tall} width={step - gap} height={tall} />
            {wrong > 0 && (
              <rect class="bad" x={gap / 2} y={height - tall} width={step - gap} height={tallOf(wrong)} />
            )}
          </>
        )
      }}
    />
  )
}
