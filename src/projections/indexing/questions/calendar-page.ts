import { inWords } from '../../../domain/indexing/captures/time-digits.ts'
import { count, plural } from '../../../domain/kernel/amounts.ts'
import { type Html, html } from '../../../domain/kernel/html.ts'
import { monthTable } from './calendar-month.ts'
import { calendarStyle } from './calendar-style.ts'
import type { CaptureRow } from './capture-rows.ts'
import type { Captures } from './captures-answer.ts'

/** The captures of a URL by year, month and day, as one HTML page that is complete in itself. */
export const calendarPage = ({ url, key, captures, total, isCut, days }: Captures): string => {
  const listed = new Set(captures.map(({ timestamp }) => timestamp.slice(0, 8)))
  const counts = new Map(days.map(({ day, captures }) => [day, captures]))
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Captures of ${url}</title>
${calendarStyle}
</head>
<body>
<header>
<h1>Captures of <bdi>${url}</bdi></h1>
<p class="quiet">Key in the index: <bdi>${key}</bdi></p>
<p class="verdict">${total === 0 ? 'None is in the index.' : `${isCut ? 'At least ' : ''}${plural(total, 'capture')} on ${plural(days.length, 'day')}.`}</p>
</header>
<main>
${yearsOf(days).map((year) => yearSection(year, counts, listed))}
${captures.length === 0 ? undefined : listSection(captures, total)}
</main>
</body>
</html>
`.markup
}

const yearsOf = (days: Captures['days']): readonly string[] => [
  ...new Set(days.map(({ day }) => day.slice(0, 4))),
]

const yearSection = (
  year: string,
  counts: ReadonlyMap<string, number>,
  listed: ReadonlySet<string>,
): Html => {
  const ofYear = [...counts].filter(([day]) => day.startsWith(year)).reduce((sum, [, n]) => sum + n, 0)
  const months = Array.from({ length: 12 }, (_, month) => monthTable(Number(year), month, counts, listed))
  return html`<section aria-labelledby="y${year}">
<h2 id="y${year}">${year}: ${plural(ofYear, 'capture')}</h2>
<div class="months">
${months}</div>
</section>
`
}

const listSection = (captures: Captures['captures'], total: number): Html => {
  const seen = new Set<string>()
  return html`<section aria-labelledby="list">
<h2 id="list">${captures.length < total ? `${count(captures.length)} of ${count(total)} captures` : 'All captures'}</h2>
<div class="scroll"><table>
<thead><tr>${['Captured (UTC)', 'URL', 'Status', 'Type', 'Archive file', 'Offset'].map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>
${captures.map((capture) => captureRowOf(capture, seen))}</tbody>
</table></div>
</section>
`
}

/** The row of a capture. The calendar links to the first one of a day. */
const captureRowOf = (capture: CaptureRow, seen: Set<string>): Html => {
  const day = capture.timestamp.slice(0, 8)
  const isFirst = !seen.has(day)
  seen.add(day)
  const { timestamp, url, status, mime, file, offset } = capture
  const cells = [url, status, mime, file, offset === null ? null : String(offset)]
  return html`<tr><th scope="row"${isFirst ? html` id="d${day}"` : undefined}>${inWords(timestamp)}</th>${cells.map((cell) => html`<td><bdi>${cell ?? ''}</bdi></td>`)}</tr>
`
}
