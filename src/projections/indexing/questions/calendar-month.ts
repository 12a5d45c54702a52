import { count, plural } from '../../../domain/kernel/amounts.ts'
import { type Html, html } from '../../../domain/kernel/html.ts'

const names = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
]
const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/**
 * A month by weeks, which begin on Monday: each day with its count of `counts` (`2026-01-31`), and where `listed` has it (`20260131`),
 * with a link to it. `month` is from 0.
 */
export const monthTable = (
  year: number,
  month: number,
  counts: ReadonlyMap<string, number>,
  listed: ReadonlySet<string>,
): Html => {
  const first = new Date(0)
  first.setUTCFullYear(year, month, 1)
  const next = new Date(first)
  next.setUTCMonth(month + 1)
  const length = Math.round((next.getTime() - first.getTime()) / 86_400_000)
  const before = (first.getUTCDay() + 6) % 7
  const cells = Array.from({ length: Math.ceil((before + length) / 7) * 7 }, (_, i) => {
    const day = i - before + 1
    return day < 1 || day > length ? html`<td></td>` : dayCell({ year, month, day }, counts, listed)
  })
  const weeks = Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7))
  return html`<table>
<caption>${names[month]}</caption>
<thead><tr>${weekdays.map((name) => html`<th scope="col" abbr="${name}">${name.slice(0, 2)}</th>`)}</tr></thead>
<tbody>
${weeks.map((week) => html`<tr>${week}</tr>\n`)}</tbody>
</table>
`
}

const dayCell = (
  { year, month, day }: { readonly year: number; readonly month: number; readonly day: number },
  counts: ReadonlyMap<string, number>,
  listed: ReadonlySet<string>,
): Html => {
  const parts = [String(year).padStart(4, '0'), ...[month + 1, day].map((n) => String(n).padStart(2, '0'))]
  const captures = counts.get(parts.join('-'))
  if (captures === undefined) return html`<td>${day}</td>`
  const digits = parts.join('')
  const label = `${day} ${names[month]} ${year}: ${plural(captures, 'capture')}`
  return listed.has(digits)
    ? html`<td class="has"><a href="#d${digits}" aria-label="${label}">${day}<b>${count(captures)}</b></a></td>`
    : html`<td class="has">${day}<b>${count(captures)}</b></td>`
}
