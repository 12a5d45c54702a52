import { type Html, html } from '../../../domain/kernel/html.ts'
import type { Gap } from '../../../domain/research/terms.ts'
import type { Occurrence } from './answers.ts'
import { clock, place } from './clock.ts'
import { occurrenceNote } from './occurrence-note.ts'

/** Data of a timeline. Durations and offsets in nanoseconds. */
interface Timeline {
  readonly title: string
  readonly duration: number
  readonly occurrences: readonly Omit<Occurrence, 'episode' | 'episodeTitle'>[]
  readonly gaps: readonly Gap[]
}

const width = 1000
const names = 220
const lane = 26
const top = 46
const second = 1_000_000_000

/** The clips of an episode along its length, a row each. Darker is more certain; a click opens the player there. */
export const timelineSvg = ({ title, duration, occurrences, gaps }: Timeline): string => {
  const lanes = [...Map.groupBy(occurrences, ({ clip }) => clip).values()]
  const height = top + lane * Math.max(1, lanes.length) + 24
  // A file that was cut off has its last gap behind its end.
  const length = Math.max(duration, second, ...gaps.map((gap) => gap.offset + gap.duration))
  const x = (at: number) => round(names + ((width - names - 10) * at) / length)
  const bottom = top + lane * Math.max(1, lanes.length)
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="13">
<title>${title}</title>
<rect width="${width}" height="${height}" fill="#fff"/>
<text x="10" y="22" font-size="16" font-weight="600" fill="#222">${title}</text>
${gaps.map(
  (gap) => html`<rect x="${x(gap.offset)}" y="${top - 6}" width="${round(
    Math.max(1, x(gap.offset + gap.duration) - x(gap.offset)),
  )}" height="${bottom - top + 6}" fill="#e2e2e2"><title>${gapLabel(gap)}</title></rect>
`,
)}${ticks(length).map(
  (at) => html`<line x1="${x(at)}" y1="${top - 6}" x2="${x(at)}" y2="${bottom}" stroke="#ddd"/>
<text x="${x(at)}" y="${bottom + 16}" text-anchor="middle" fill="#666">${clock(at)}</text>
`,
)}${lanes.map((some, i) => drawLane(some, top + lane * i, x))}${
  lanes.length === 0
    ? html`<text x="10" y="${top + 17}" fill="#666">no clip was found in it</text>`
    : undefined
}</svg>
`.markup
}

const drawLane = (
  some: Timeline['occurrences'],
  y: number,
  x: (at: number) => number,
): Html => html`<text x="10" y="${y + 17}" fill="#222">${shortened(some[0]!.clipTitle)}</text>
<line x1="${names}" y1="${y + lane - 1}" x2="${width - 10}" y2="${y + lane - 1}" stroke="#eee"/>
${some.map(
  (one) => html`<a href="${one.link}"><rect x="${x(one.offset)}" y="${y + 4}" width="${round(
    Math.max(3, x(one.offset + one.duration) - x(one.offset)),
  )}" height="${lane - 9}" rx="2" fill="#2b6cb0" fill-opacity="${round(0.35 + 0.65 * one.score)}"><title>${label(one)}</title></rect></a>
`,
)}`

const gapLabel = ({ offset, duration }: Gap): string =>
  `${place(offset)} to ${place(offset + duration)} cannot be decoded`

const label = (one: Timeline['occurrences'][number]): string =>
  [`${one.clipTitle} at ${place(one.offset)}, score ${one.score.toFixed(2)}`, occurrenceNote(one)]
    .filter(Boolean)
    .join('; ')

const round = (n: number): number => Math.round(n * 100) / 100

const maxNameLength = 28
const shortened = (name: string): string => {
  const characters = Array.from(name)
  return characters.length > maxNameLength ? `${characters.slice(0, maxNameLength - 1).join('')}…` : name
}

const steps = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 18_000]

/** About eight of them, at round times. */
const ticks = (length: number): readonly number[] => {
  const step = (steps.find((one) => length / second / one <= 8) ?? 36_000) * second
  return Array.from({ length: Math.floor(length / step) + 1 }, (_, i) => i * step)
}
