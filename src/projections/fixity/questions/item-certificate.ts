import { bytes, count } from '../../../domain/kernel/amounts.ts'
import { html } from '../../../domain/kernel/html.ts'
import { keptPage } from '../../../domain/kernel/kept-page.ts'
import { certificateTable } from './certificate-table.ts'
import { reportStyle } from './report-style.ts'
import type { Witness } from './witnesses.ts'

/** The part of what is known of an item that its certificate shows. */
interface CertifiedItem {
  readonly at: string
  readonly store: string
  readonly path: string
  readonly state: string
  readonly means: string
  readonly isLate: boolean
  readonly size: number | null
  readonly recordedAt: string | null
  readonly lastVerified: string | null
  readonly decision: {
    readonly observedAt: string
    readonly row: string
    readonly pattern: string
    readonly because: string
    readonly witnesses: readonly Witness[]
  } | null
  readonly results: readonly { readonly result: string; readonly count: number; readonly unread: number }[]
  readonly findings: readonly {
    readonly openedAt: string
    readonly status: string
    readonly how: string | null
    readonly summary: string
  }[]
}

/** One HTML page that is complete in itself: it loads nothing, so it can be printed and kept. */
export const itemCertificate = (item: CertifiedItem): string =>
  keptPage({
    title: `${item.path}: certificate, ${item.at}`,
    style: reportStyle,
    header: html`<h1>Certificate of an item</h1>
<p class="quiet">As of ${item.at}</p>
<p class="verdict"><bdi>${item.store}/${item.path}</bdi> is <strong>${item.state}</strong>: ${item.means}</p>`,
    main: html`<p>${item.size === null ? undefined : `Its recorded size is ${bytes(item.size)}. `}${item.recordedAt === null ? undefined : `It was recorded at ${item.recordedAt}. `}${
      item.lastVerified === null
        ? 'It was never read and found as recorded.'
        : `It was last read and found as recorded at ${item.lastVerified}.`
    }${item.isLate ? ' Its next check is overdue.' : undefined}</p>
${
  item.decision === null
    ? html`<p>Nobody ever looked at it.</p>`
    : html`<p>The last decision, at ${item.decision.observedAt}, is ${item.decision.row} (${item.decision.pattern}): <bdi>${item.decision.because}</bdi></p>`
}
${certificateTable(
  'What the witnesses of that decision said',
  ['Witness', 'Mark', 'Words', 'Checksums', 'Heard'],
  (item.decision?.witnesses ?? []).map(({ witness, mark, says, checksums, heardAt }) => [
    witness,
    mark ?? '',
    says,
    checksums.map(({ algorithm, value }) => `${algorithm}:${value}`).join(' '),
    heardAt,
  ]),
)}
${certificateTable(
  'Finished checks',
  ['Result', 'Checks', 'Without reading it'],
  item.results.map(({ result, count: n, unread }) => [result, count(n), count(unread)]),
)}
${certificateTable(
  'Findings, the newest first',
  ['Opened', 'State', 'Finding'],
  item.findings.map(({ openedAt, how, status, summary }) => [openedAt, how ?? status, summary]),
)}`,
  })
