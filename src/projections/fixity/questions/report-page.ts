import { bytes, count, plural } from '../../../domain/kernel/amounts.ts'
import { type Html, html } from '../../../domain/kernel/html.ts'
import { keptPage } from '../../../domain/kernel/kept-page.ts'
import type { Counts, FixityReport, Section } from './answers.ts'
import { bagCountsText } from './bag-counts.ts'
import { budgetSentence } from './budget-answer.ts'
import { askedSentence, maxListed } from './report.ts'
import { bar, parts } from './report-bar.ts'
import { reportStyle } from './report-style.ts'

/** The fixity report as one HTML page that is complete in itself: it loads nothing, so it can be printed and kept. */
export const reportPage = (report: FixityReport): string =>
  keptPage({
    title: `Fixity report, ${report.at}`,
    style: reportStyle,
    header: html`<h1>Fixity report</h1>
<p class="quiet">As of ${instant(report.at)}</p>
${verdict(report)}`,
    main: html`${report.stores.map(storeSection)}
${resolutionsSection(report.resolutions)}
${failuresSection(report)}`,
  })

type Store = FixityReport['stores'][number]

/** The sentence for somebody who reads no further. */
const verdict = ({ stores }: FixityReport): Html => {
  const sum = (name: keyof Counts) => stores.reduce((total, { counts }) => total + counts[name], 0)
  const expected = sum('expected')
  if (expected === 0)
    return html`<p class="verdict">Nothing is expected: no content has been recorded here.</p>`
  const others = parts.filter(({ name }) => name !== 'verified' && sum(name) > 0)
  const where = `${plural(expected, 'item')} in ${plural(stores.length, 'store')}`
  const away = stores.filter(({ awaySince }) => awaySince !== undefined)
  const unseen =
    away.length > 0
      ? html` <strong>${plural(away.length, 'store is', 'stores are')} away</strong>, and not checked.`
      : undefined
  if (others.length === 0 && sum('verified') === expected && away.length === 0)
    return html`<p class="verdict">All of ${where}: verified within their interval.</p>`
  const rest = others.map(({ name, title }) => `${count(sum(name))} ${title.toLowerCase()}`).join(', ')
  return html`<p class="verdict">Of ${where}: ${count(sum('verified'))} verified${rest && `, ${rest}`}.${unseen}</p>`
}

const storeSection = (store: Store): Html => html`<section>
<div class="summary">
<h2><bdi>${store.store}</bdi></h2>
<p class="quiet">${store.root === undefined ? undefined : html`<bdi>${store.root}</bdi>, `}${plural(store.counts.expected, 'item')} expected, ${bytes(store.bytes)}</p>
${awayWarning(store)}
${bar(store.counts)}
<ul class="parts">${parts.map(({ name, title }) => html`<li>${swatch(name)}${title} ${count(store.counts[name])}</li>`)}</ul>
${sumWarning(store.counts)}
${store.budget ? html`<p>${budgetSentence(store.budget)}</p>` : undefined}
${store.bags ? html`<p>${bagCountsText(store.bags)}.</p>` : undefined}
${store.asked ? html`<p>${askedSentence(store.asked)}</p>` : undefined}
</div>
${store.prefixes.length > 0 ? prefixTable(store) : undefined}
</section>
`

const swatch = (name: string): Html =>
  html`<svg viewBox="0 0 10 10" aria-hidden="true"><rect class="${name}" width="10" height="10"/></svg>`

const awayWarning = ({ awaySince, away, goneSince }: Store): Html | undefined => {
  if (awaySince !== undefined)
    return html`<p class="wrong" role="alert">Away since ${instant(awaySince)}${away === undefined ? undefined : html`: <bdi>${away}</bdi>`}. Nothing of it is checked, and nothing is known of it since.</p>`
  return goneSince === undefined
    ? undefined
    : html`<p class="wrong" role="alert">Nothing of it is found since ${instant(goneSince)}: its absence is a finding.</p>`
}

/** A warning, if the numbers do not add up. */
const sumWarning = (counts: Counts): Html | undefined => {
  const sum = parts.reduce((total, { name }) => total + counts[name], 0)
  return sum === counts.expected
    ? undefined
    : html`<p class="wrong" role="alert">These add up to ${count(sum)}, not to ${count(counts.expected)}: do not rely on this report. Rebuild the fixity views (fonds rebuild fixity) and make it again.</p>`
}

const prefixTable = (store: Store): Html =>
  table(
    html`By folder of <bdi>${store.store}</bdi>`,
    [
      { title: 'Folder' },
      { title: 'Expected', number: true },
      ...parts.map(({ title }) => ({ title, number: true })),
      { title: 'Size', number: true },
    ],
    [
      ...store.prefixes.map((section) => sectionRow(folder(section.prefix), section)),
      sectionRow(html`<strong>All</strong>`, store),
    ],
  )

const sectionRow = (head: Html, { counts, bytes: size }: Section): readonly (Html | string)[] => [
  head,
  count(counts.expected),
  ...parts.map(({ name }) => count(counts[name])),
  bytes(size),
]

const resolutionsSection = (resolutions: FixityReport['resolutions']): Html => html`<section>
<h2>Open resolutions</h2>
${
  resolutions.length === 0
    ? html`<p>None: nothing waits for anybody.</p>`
    : table(
        html`${count(resolutions.length)}, oldest first${resolutions.length >= maxListed ? '; there may be more' : ''}`,
        titled('Path', 'Store', 'Opened', 'Class', 'Row', 'Finding'),
        resolutions.map((each) => [
          path(each.path),
          each.store,
          instant(each.openedAt),
          each.class,
          each.row,
          each.summary,
        ]),
      )
}
</section>
`

const failuresSection = ({ stores, failures }: FixityReport): Html => {
  const all = stores.reduce((total, { counts }) => total + counts.failed + counts.parked, 0)
  const listed = failures.length < all ? `${count(failures.length)} of ${count(all)}` : count(failures.length)
  return html`<section>
<h2>Failed and parked</h2>
${
  failures.length === 0 && all === 0
    ? html`<p>None.</p>`
    : table(
        html`${listed}, by store and path`,
        titled('Path', 'Store', 'State', 'Row', 'Because', 'Last checked', 'Last verified'),
        failures.map((each) => [
          path(each.path),
          each.store,
          each.state,
          each.row ?? '',
          each.because ?? '',
          each.lastChecked === null ? 'never' : instant(each.lastChecked),
          each.lastVerified === null ? 'never' : instant(each.lastVerified),
        ]),
      )
}
</section>
`
}

interface Heading {
  readonly title: string
  readonly number?: boolean
}

const titled = (...titles: readonly string[]): readonly Heading[] => titles.map((title) => ({ title }))

/** The first cell of a row names it. */
const table = (
  caption: Html,
  headings: readonly Heading[],
  rows: readonly (readonly (Html | string)[])[],
): Html => html`<div class="scroll"><table>
<caption>${caption}</caption>
<thead><tr>${headings.map(({ title, number }) => html`<th scope="col"${number ? numeric : undefined}>${title}</th>`)}</tr></thead>
<tbody>
${rows.map(
  ([head, ...cells]) =>
    html`<tr><th scope="row" class="path">${head}</th>${cells.map((cell, i) => tableCell(cell, headings[i + 1]))}</tr>
`,
)}</tbody>
</table></div>`

const numeric = html` class="n"`

/** On a narrow screen each cell stands below the last one with its heading beside it, and zeros are left out. */
const tableCell = (cell: Html | string, heading: Heading | undefined): Html =>
  html`<td data-label="${heading?.title ?? ''}"${heading?.number ? (cell === '0' ? zero : numeric) : undefined}><span>${cell}</span></td>`

const zero = html` class="n zero"`

const folder = (prefix: string): Html => (prefix === '.' ? html`(single files)` : path(prefix))

/** A name keeps its own direction of writing, and changes that of nothing around it. */
const path = (text: string): Html => html`<bdi>${text}</bdi>`

const instant = (at: string): Html =>
  html`<time datetime="${at}"><span>${at.slice(0, 10)}</span> <span>${at.slice(11, 19)} UTC</span></time>`
