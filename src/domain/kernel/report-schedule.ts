import { recipientOf } from './person.ts'

/* Schedules of reports that are mailed, as the setting `reports` has them. Periods are of UTC. */

const periods = ['daily', 'weekly', 'monthly', 'quarterly', 'yearly'] as const
export type Period = (typeof periods)[number]

export interface ReportSchedule {
  readonly period: Period
  /** Mail addresses, and references of people. */
  readonly to: readonly string[]
  readonly workflow: string
  /** Absent: all. */
  readonly store?: string
  /** False: no mail for a period at whose end all was well. */
  readonly isAlways: boolean
  /** The schedule in its canonical text, which names it in the log. */
  readonly text: string
}

export const reportsForm =
  'reports (monthly to=ada@archive.example,bob@archive.example store=main when=always; others after a semicolon: ' +
  'daily, weekly, monthly, quarterly or yearly; to= is needed; when=always or when=wrong; workflow=fixity)'

const workflows = ['fixity']

/** Returns the schedules; undefined if one cannot be read. */
export const parseReports = (text: string): readonly ReportSchedule[] | undefined => {
  const found = text
    .split(';')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map(parseSchedule)
  return found.length > 0 && found.every((one) => one !== undefined) ? found : undefined
}

const parseSchedule = (text: string): ReportSchedule | undefined => {
  const [name, ...pairs] = text.split(/\s+/)
  const period = periods.find((one) => one === name)
  const given = new Map<string, string>()
  for (const pair of pairs) {
    const [key = '', value = ''] = pair.split('=', 2)
    if (!['to', 'store', 'workflow', 'when'].includes(key) || value === '' || given.has(key)) return undefined
    given.set(key, value)
  }
  const named = (given.get('to') ?? '').split(',').filter((one) => one !== '')
  const to = named.map(recipientOf).filter((one) => one !== undefined)
  const store = given.get('store')
  const workflow = given.get('workflow') ?? 'fixity'
  const when = given.get('when') ?? 'always'
  if (!period || to.length === 0 || to.length < named.length) return undefined
  if (!workflows.includes(workflow) || !['always', 'wrong'].includes(when)) return undefined
  const canonical = [
    period,
    `to=${named.join(',')}`,
    ...(store ? [`store=${store}`] : []),
    `workflow=${workflow}`,
    `when=${when}`,
  ]
  return {
    ...{ period, to, workflow, isAlways: when === 'always', text: canonical.join(' ') },
    ...(store !== undefined && { store }),
  }
}

/** The beginning of the period that an instant lies in. ISO 8601 UTC. */
export const beginningOf = (period: Period, instant: string): string => {
  const at = new Date(instant)
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()]
  switch (period) {
    case 'daily':
      return time(year, month, day)
    case 'weekly':
      // From Monday on.
      return time(year, month, day - ((at.getUTCDay() + 6) % 7))
    case 'monthly':
      return time(year, month, 1)
    case 'quarterly':
      return time(year, month - (month % 3), 1)
    case 'yearly':
      return time(year, 0, 1)
  }
}

/** The end of the period that begins at an instant. */
export const endOf = (period: Period, beginning: string): string => {
  const at = new Date(beginning)
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()]
  const months = { daily: 0, weekly: 0, monthly: 1, quarterly: 3, yearly: 12 }[period]
  const days = { daily: 1, weekly: 7, monthly: 0, quarterly: 0, yearly: 0 }[period]
  return time(year, month + months, day + days)
}

const time = (year: number, month: number, day: number): string =>
  new Date(Date.UTC(year, month, day)).toISOString()
