import type { Telemetry } from '../../src/ports/telemetry.ts'

export interface RecordedTelemetry extends Telemetry {
  /** Total of a counter by one of its labels. */
  counted(name: string, label: string): Readonly<Record<string, number>>
  /** Every value that a gauge was set to. */
  gauged(name: string): readonly number[]
}

export const recordedTelemetry = (): RecordedTelemetry => {
  const counts: { name: string; labels: Readonly<Record<string, string>>; by: number }[] = []
  const gauges: { name: string; value: number }[] = []
  return {
    // Nothing was counted where a series was but started.
    count: (name, labels, by = 1) => void (by > 0 && counts.push({ name, labels, by })),
    gauge: (name, _, value) => void gauges.push({ name, value }),
    gauges: (name, values) => void gauges.push(...values.map(({ value }) => ({ name, value }))),
    time: () => {},
    counted: (wanted, label) => {
      const totals: Record<string, number> = {}
      for (const { name, labels, by } of counts)
        if (name === wanted) totals[labels[label] ?? ''] = (totals[labels[label] ?? ''] ?? 0) + by
      return totals
    },
    gauged: (wanted) => gauges.filter(({ name }) => name === wanted).map(({ value }) => value),
  }
}
