import { bytes, count, plural } from '../../../domain/kernel/amounts.ts'
import { html } from '../../../domain/kernel/html.ts'
import { keptPage } from '../../../domain/kernel/kept-page.ts'
import type { BagAnswer } from './bag-answer.ts'
import { certificateTable as table } from './certificate-table.ts'
import { reportStyle } from './report-style.ts'

const verdicts = { valid: 'valid', 'not-valid': 'not valid', 'not-proven': 'not proven' } as const

/** Sentences that hold of a bag; `valid` is said of what is valid now, and of nothing else. */
export const bagSentences = (bag: BagAnswer): readonly string[] => [
  `The bag ${bag.bag} of store ${bag.store} is ${verdicts[bag.verdict]} since ${bag.since} (${bag.rule}). ${bag.because}`,
  `Its last listing, at ${bag.listedAt}, found ${plural(bag.files, 'payload file')} of ${bytes(bag.bytes)}` +
    `${bag.isComplete ? ', and the bag complete by RFC 8493' : ', and the bag not complete by RFC 8493'}.`,
  bag.firstVerified === null
    ? 'None of its files was read and found as recorded.'
    : `Its files were last read and found as recorded between ${bag.firstVerified} and ${bag.lastVerified}.`,
]

/** One HTML page that is complete in itself: it loads nothing, so it can be printed and kept. */
export const bagCertificate = (bag: BagAnswer): string =>
  keptPage({
    title: `${bag.bag}: bag certificate, ${bag.at}`,
    style: reportStyle,
    header: html`<h1>Bag certificate</h1>
<p class="quiet">As of ${bag.at}</p>
<p class="verdict"><bdi>${bag.store}/${bag.bag}</bdi> is <strong>${verdicts[bag.verdict]}</strong>.</p>`,
    main: html`${bagSentences(bag).map((sentence) => html`<p><bdi>${sentence}</bdi></p>\n`)}
${table(
  'Items by state',
  ['State', 'Items'],
  bag.states.map(({ state, count: n }) => [state, count(n)]),
)}
${table(
  'What the listing found',
  ['Path', 'Problem'],
  bag.problems.map(({ path, reason }) => [path, reason]),
)}
${bag.problemsLeftOut > 0 ? html`<p>And ${plural(bag.problemsLeftOut, 'more problem')}.</p>` : undefined}
${table(
  'Open findings',
  ['Path', 'Opened', 'Finding'],
  bag.findings.map(({ path, openedAt, summary }) => [path, openedAt, summary]),
)}
<p class="quiet">Made of the events of <bdi>fixityBag-${bag.store}/${bag.bag}</bdi> and of its items. Rules: docs/fixity.md, "Bags".</p>`,
  })
