import { Chart, column } from './chart.tsx'
import { compact, count } from './words.ts'

interface BarsProps {
  /** What is counted, as in `Checks a day`. */
  readonly says: string
  readonly bars: readonly { readonly label: string; readonly value: number }[]
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
      told={(i) => count(bars[i]?.value ?? 0)}
      draw={(i) => {
        const value = bars[i]?.value ?? 0
        const tall = value === 0 ? 0 : Math.max(2, (value / most) * height)
        return <rect x={gap / 2} y={height - tall} width={step - gap} height={tall} />
      }}
    />
  )
}
