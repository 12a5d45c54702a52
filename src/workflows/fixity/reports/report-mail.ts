import { stringify } from 'csv-stringify/sync'
import { bytes, count, plural } from '../../../domain/kernel/amounts.ts'
import { cellText } from '../../../domain/kernel/formulas.ts'
import type { Period, ReportSchedule } from '../../../domain/kernel/report-schedule.ts'
import { visible } from '../../../domain/kernel/visible.ts'
import type { Mail } from '../../../ports/mailer.ts'
import type { ViewStore } from '../../../ports/view-store.ts'
import type { Counts, FixityReport } from '../../../projections/fixity/questions/answers.ts'
import { bagCountsText } from '../../../projections/fixity/questions/bag-counts.ts'
import { periodReport } from '../../../projections/fixity/questions/period.ts'
import { fixityReport } from '../../../projections/fixity/questions/report.ts'
import { reportPage } from '../../../projections/fixity/questions/report-page.ts'
import { reportRows } from '../../../projections/fixity/questions/report-rows.ts'
import { standingOfCompared } from '../../../projections/fixity/questions/standing-differences.ts'

export interface ReportMail extends Pick<Mail, 'subject' | 'text' | 'attachments'> {
  /** Each expected item is verified, baselined or accepted within its interval, and nothing else is to be settled. */
  readonly isWell: boolean
}

interface OfPeriod {
  readonly since: string
  readonly until: string
  /** Time of the state, which is that of the sending. */
  readonly now: string
  /** Address of the page; absent: not known. */
  readonly publicUrl: string | undefined
}

/** The report of a period: a sentence and figures, with the whole as HTML and CSV. */
export const reportMail = (
  views: ViewStore,
  { store, period }: Pick<ReportSchedule, 'store' | 'period'>,
  { since, until, now, publicUrl }: OfPeriod,
): ReportMail => {
  const scope = store === undefined ? {} : { store }
  const state = fixityReport(views, now, scope)
  const done = periodReport(views, since, until, { ...scope, counts: true })
  const wrong = whatIsWrong(state, differencesOf(views, store))
  const closed = done.settlements.reduce((sum, one) => sum + one.count, 0)
  const isWell = wrong.length === 0
  const what = store ?? 'all stores'
  const verdict = isWell ? 'all is well' : wrong.join(', ')
  const name = `fixity-${store ?? 'all'}-${since.slice(0, 10)}`
  const expected = sumOf(state, 'expected')
  return {
    isWell,
    subject: `Fonds: fixity of ${what}, ${periodName(period, since)}: ${verdict}`,
    text: [
      isWell
        ? `All of ${plural(expected, 'item')} of ${what} are as recorded, within their interval, as of ${now}.`
        : `Of ${plural(expected, 'item')} of ${what}, as of ${now}: ${verdict}.`,
      '',
      `From ${since} to ${until}:`,
      `  ${plural(done.successes + done.unread + done.failures + done.unverified, 'check')}: ${count(done.successes)} successes, ${count(done.failures)} failures, ${count(done.unverified)} unverified, ${count(done.unread)} unread`,
      `  ${plural(done.opened, 'finding')} opened, ${count(closed)} settled; ${count(done.openBefore)} open before, ${count(done.openAfter)} after`,
      ...done.reads.map((one) => `  Checks of ${one.store} read ${bytes(one.bytes)}`),
      '',
      ...state.stores.flatMap(storeLines),
      ...(publicUrl ? [`${publicUrl.replace(/\/+$/, '')}/fixity`, ''] : []),
      `The attached page and table have it by folder. \`fonds fixity report\` has it as it is now.`,
      '',
    ]
      .map(visible)
      .join('\n'),
    attachments: [
      { name: `${name}.html`, text: reportPage(state) },
      { name: `${name}.csv`, text: csvOf(state) },
    ],
  }
}

const sumOf = ({ stores }: FixityReport, part: keyof Counts): number =>
  stores.reduce((sum, { counts }) => sum + counts[part], 0)

type Seen = Readonly<Record<'missing' | 'moved' | 'changed', number>>

/** Files that are not as recorded, without those that a finding or their check is about: the report has these. */
const differencesOf = (views: ViewStore, store: string | undefined): Seen => {
  const found = standingOfCompared(views, store)
  const sum = (part: keyof Seen) => found.reduce((total, { needs }) => total + needs[part], 0)
  return { missing: sum('missing'), moved: sum('moved'), changed: sum('changed') }
}

/** Phrases for what is not as it should be; none: all is well. */
const whatIsWrong = (state: FixityReport, seen: Seen): readonly string[] => {
  const away = state.stores.filter((one) => one.awaySince !== undefined || one.goneSince !== undefined)
  const bags = state.stores.reduce((sum, one) => sum + (one.bags?.notValid ?? 0), 0)
  const unproven = state.stores.reduce((sum, one) => sum + (one.bags?.notProven ?? 0), 0)
  const amounts: readonly (readonly [amount: number, text: string])[] = [
    [sumOf(state, 'failed'), 'failed'],
    [sumOf(state, 'lost'), 'lost'],
    [sumOf(state, 'parked'), 'could not be checked'],
    [sumOf(state, 'suspect'), 'suspect'],
    [sumOf(state, 'unverified'), 'unverified'],
    [sumOf(state, 'late'), 'late'],
    [sumOf(state, 'unchecked'), 'not checked yet'],
    [sumOf(state, 'unread'), 'archived and not read'],
    [state.resolutions.length, state.resolutions.length === 1 ? 'open finding' : 'open findings'],
    [seen.missing, 'missing by the last comparison'],
    [seen.moved, 'moved by the last comparison'],
    [seen.changed, 'of another size by the last comparison'],
    [away.length, away.length === 1 ? 'store away' : 'stores away'],
    [bags, bags === 1 ? 'bag not valid' : 'bags not valid'],
    [unproven, unproven === 1 ? 'bag not proven' : 'bags not proven'],
  ]
  const wrong = amounts.filter(([amount]) => amount > 0).map(([amount, text]) => `${count(amount)} ${text}`)
  return wrong.length === 0 && sumOf(state, 'expected') === 0 ? ['nothing is recorded'] : wrong
}

const storeLines = ({ store, counts, bytes: size, bags, awaySince }: FixityReport['stores'][number]) => [
  `${store}: ${plural(counts.expected, 'item')}, ${bytes(size)}${awaySince ? `; away since ${awaySince}` : ''}`,
  ...Object.entries(counts)
    .filter(([part, amount]) => part !== 'expected' && amount > 0)
    .map(([part, amount]) => `  ${count(amount)} ${part}`),
  ...(bags ? [`  ${bagCountsText(bags)}`] : []),
  '',
]

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
]

/** `October 2026`, `week from 2026-10-05`, `2026-10-05`, `quarter 4 of 2026`, `2026`. */
const periodName = (period: Period, since: string): string => {
  const [year = '', month = '1'] = since.split('-')
  switch (period) {
    case 'daily':
      return since.slice(0, 10)
    case 'weekly':
      return `week from ${since.slice(0, 10)}`
    case 'monthly':
      return `${months[Number(month) - 1]} ${year}`
    case 'quarterly':
      return `quarter ${Math.ceil(Number(month) / 3)} of ${year}`
    case 'yearly':
      return year
  }
}

/** As `fonds fixity report --format csv`; text that a spreadsheet would run as a formula gets a ' in front. */
const csvOf = (state: FixityReport): string =>
  stringify([...reportRows(state)], { header: true, cast: { string: cellText } })
