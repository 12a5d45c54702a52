import type { Condition } from '../../parts/condition.ts'
import { Shape } from '../../parts/state.tsx'
import type { Report } from './report.ts'

const severity: readonly Condition[] = ['wrong', 'stopped', 'needs somebody', 'away', 'held']

/** The worst first, in words; nothing is called well before all have answered. */
export const Headline = ({ reports }: { readonly reports: readonly (Report | undefined)[] }) => {
  const known = reports.filter((report) => report !== undefined)
  const worst = severity.find((one) => known.some(({ is }) => is === one))
  if (worst !== undefined)
    return (
      <h1 class={`headline state ${worst.replace(' ', '-')}`}>
        <Shape of={worst} />
        <span>
          {known
            .filter(({ is }) => is === worst)
            .map(({ says }) => says)
            .join(', ')}
        </span>
      </h1>
    )
  if (known.length < reports.length) return <h1>Home</h1>
  if (known.every(({ is }) => is === 'idle')) return <h1>Nothing is kept here yet</h1>
  return <h1>Nothing is wrong, as far as it was looked at</h1>
}
