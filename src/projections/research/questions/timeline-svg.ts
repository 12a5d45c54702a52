import { type Html, html } from '../../../domain/kernel/html.ts'

/** What a timeline is drawn from. Durations and offsets in nanoseconds. */
interface Timeline {
  readonly title: string
  readonly duration: number
  readonly occurrences: readonly {
    readonly clip: string
    readonly clipTitle: string
    readonly offset: number
    readonly duration: number
    readonly score: number
    readonly link: string
  }[]
}

const width = 1000
const names = 220
const lane = 26
const top = 46
const second = 1_000_000_000

/** The clips of an episode along its length, a row each. Darker is surer; a click opens the player there. */
export const timelineSvg = ({ title, duration, occurrences }: Timeline): string => {
  const lanes = [...Map.groupBy(occurrences, ({ clip }) => clip).values()]
  const height = top + lane * Math.max(1, lanes.length) + 24
  const length = Math.max(duration, second)
  const x = (at: number) => round(names + ((width - names - 10) * at) / length)
  const bottom = top + lane * Math.max(1, lanes.length)
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="13">
<title>${title}</title>
<rect width="${width}" height="${height}" fill="#fff"/>
<text x="10" y="22" font-size="16" font-weight="600" fill="#222">${title}</text>
${ticks(length).map(
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
  ({
    clipTitle,
    offset,
    duration,
    score,
    link,
  }) => html`<a href="${link}"><rect x="${x(offset)}" y="${y + 4}" width="${round(
    Math.max(3, x(offset + duration) - x(offset)),
  )}" height="${lane - 9}" rx="2" fill="#2b6cb0" fill-opacity="${round(0.35 + 0.65 * score)}"><title>${clipTitle} at ${place(
    offset,
  )}, score ${score.toFixed(2)}</title></rect></a>
`,
)}`

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

/** A place in an episode: always with tenths, so that places align. */
export const place = (at: number): string => {
  const text = clock(at)
  return text.includes('.') ? text : `${text}.0`
}

/** `1754.2 s` → `29:14.2`: hours and tenths only where they are not zero. */
export const clock = (at: number): string => {
  const tenths = Math.round((at / second) * 10)
  const [hours, minutes] = [Math.floor(tenths / 36_000), Math.floor(tenths / 600) % 60]
  const rest = (tenths % 600) / 10
  const seconds = `${rest < 10 ? '0' : ''}${Number.isInteger(rest) ? rest : rest.toFixed(1)}`
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${seconds}` : `${minutes}:${seconds}`
}
