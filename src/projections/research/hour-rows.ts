import type { HourRow, ResearchTables } from './tables.ts'

type HourCounts = Partial<Omit<HourRow, 'hour' | 'begunAt'>>

/** `2026-01-31T12:34:56.000Z` → `2026-01-31T12:00:00.000Z`. */
export const hourOf = (time: string): string => `${time.slice(0, 13)}:00:00.000Z`

export const countHour = (tables: ResearchTables, at: string, add: HourCounts): void => {
  const hour = hourOf(at)
  const before = tables['research-hours'].get(hour)
  const isWork = add.granted !== undefined || add.researched !== undefined
  tables['research-hours'].put({
    hour,
    begunAt: before?.begunAt ?? (isWork ? at : null),
    researched: (before?.researched ?? 0) + (add.researched ?? 0),
    repeats: (before?.repeats ?? 0) + (add.repeats ?? 0),
    found: (before?.found ?? 0) + (add.found ?? 0),
    failures: (before?.failures ?? 0) + (add.failures ?? 0),
    granted: (before?.granted ?? 0) + (add.granted ?? 0),
    expired: (before?.expired ?? 0) + (add.expired ?? 0),
    late: (before?.late ?? 0) + (add.late ?? 0),
    intakeSeconds: (before?.intakeSeconds ?? 0) + (add.intakeSeconds ?? 0),
  })
}
