import type { Part } from '../../../domain/fixity/item-states.ts'
import { count } from '../../../domain/kernel/amounts.ts'
import { type Html, html } from '../../../domain/kernel/html.ts'
import type { Counts } from './answers.ts'

const titles: Readonly<Record<Part, string>> = {
  verified: 'Verified',
  baselined: 'Baselined',
  accepted: 'Accepted',
  unread: 'Records agree, not read',
  late: 'Late',
  unchecked: 'Unchecked',
  unverified: 'Unverified',
  parked: 'Parked',
  suspect: 'Suspect',
  lost: 'Lost',
  failed: 'Failed',
}

/** The parts that add up to `expected`, best first, as people read them. */
export const parts = Object.entries(titles).map(([name, title]) => ({ name: name as Part, title }))

const length = 1000
/** Least size of a part: one failed item of a million must be visible. */
const least = 8

/** A bar of the parts: the numbers beside it say the same. */
export const bar = (counts: Counts): Html => {
  const present = parts.filter(({ name }) => counts[name] > 0)
  const total = present.reduce((sum, { name }) => sum + counts[name], 0)
  const wanted = present.map(({ name }) => Math.max(least, (counts[name] / total) * length))
  const scale = length / wanted.reduce((sum, width) => sum + width, 0)
  const label = present.map(({ name, title }) => `${title.toLowerCase()} ${count(counts[name])}`).join(', ')
  let at = 0
  const pieces = present.map(({ name, title }, i) => {
    const width = wanted[i]! * scale
    const piece = html`<rect class="${name}" x="${round(at)}" y="0" width="${round(width)}" height="20"><title>${title}: ${count(counts[name])}</title></rect>`
    at += width
    return piece
  })
  return html`<svg class="bar" role="img" aria-label="${label || 'nothing expected'}" viewBox="0 0 ${length} 20" preserveAspectRatio="none">${pieces}</svg>`
}

const round = (n: number): number => Math.round(n * 100) / 100
