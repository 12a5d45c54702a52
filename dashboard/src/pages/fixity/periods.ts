/* Months and quarters of UTC, as a report is made of. */

export interface Period {
  /** `2026-01` or `2026-Q1`. */
  readonly name: string
  readonly since: string
  /** The first moment behind it. */
  readonly until: string
}

const startOf = (year: number, month: number): string => new Date(Date.UTC(year, month)).toISOString()

const monthOf = (year: number, month: number): Period => {
  const since = startOf(year, month)
  return { name: since.slice(0, 7), since, until: startOf(year, month + 1) }
}

const quarterOf = (year: number, month: number): Period => {
  const first = month - (((month % 3) + 3) % 3)
  const since = startOf(year, first)
  const quarter = new Date(since).getUTCMonth() / 3 + 1
  return { name: `${since.slice(0, 4)}-Q${quarter}`, since, until: startOf(year, first + 3) }
}

/** The last months and quarters, this one first. */
export const lastPeriods = (
  now: Date,
): { readonly months: readonly Period[]; readonly quarters: readonly Period[] } => {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  return {
    months: Array.from({ length: 12 }, (_, i) => monthOf(year, month - i)),
    quarters: Array.from({ length: 8 }, (_, i) => quarterOf(year, month - 3 * i)),
  }
}

/** Undefined where no period is called so. */
export const periodNamed = (name: string): Period | undefined => {
  const [, year, quarter, month] = /^(\d{4})-(?:Q([1-4])|(0[1-9]|1[0-2]))$/.exec(name) ?? []
  if (year === undefined) return undefined
  return quarter === undefined
    ? monthOf(Number(year), Number(month) - 1)
    : quarterOf(Number(year), (Number(quarter) - 1) * 3)
}
