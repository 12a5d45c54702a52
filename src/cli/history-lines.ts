import { type Either, isLeft } from 'fp-ts/lib/Either.js'
import { createColors } from 'picocolors'
import { type Found, historyOf } from '../app/event-reading.ts'
import { elsewhereOf } from '../app/events-elsewhere.ts'
import { type NamesStreams, streamsNamed } from '../app/streams-named.ts'
import type { Home } from '../app/system.ts'
import { unavailable } from '../async/unavailable.ts'
import { type EarlierRecorded, isEarlier } from '../domain/kernel/earlier-event.ts'
import type { RecordedEvent } from '../domain/kernel/event.ts'
import { maxScanned } from '../domain/kernel/event.ts'
import type { ReadFailure } from '../ports/event-store.ts'
import type { Point } from '../ports/view-store.ts'
import { visible } from './output/text.ts'

type Reading = Pick<Home, 'eventStore' | 'viewStore'> & NamesStreams

/** Every event of what a person calls `id`, across workflows, in the order of the log. Throws `UnavailableError`. */
export const readHistory = async (
  home: Reading,
  id: string,
  point?: Point,
): Promise<readonly RecordedEvent[]> => {
  const { eventStore } = home
  const streams = await streamsNamed(home, id)
  const elsewhere = elsewhereOf(home, id)
  const events: RecordedEvent[] = []
  for (let from: bigint | undefined = 0n; from !== undefined; ) {
    const read: Either<ReadFailure, Found> = await historyOf(eventStore, streams, from, maxScanned, elsewhere)
    if (isLeft(read)) {
      if (read.left.kind === 'Unavailable') throw unavailable(read.left)
      return []
    }
    events.push(...read.right.events)
    from = read.right.through === undefined ? undefined : read.right.through + 1n
  }
  if (!point) return events
  return events.filter(({ position, recordedAt }) =>
    'position' in point ? position <= point.position : recordedAt <= point.time,
  )
}

/** Events as a timeline for people: when, what happened, by whom. */
export const historyLines = async (
  system: Reading,
  id: string,
  options: { readonly point?: Point; readonly colour?: boolean } = {},
): Promise<readonly string[]> =>
  timeline(await readHistory(system, id, options.point), options.colour === true)

export const timeline = (events: readonly RecordedEvent[], colour: boolean): readonly string[] => {
  const { bold, dim } = createColors(colour)
  return events.flatMap((event) => {
    const { recordedAt, type, data, metadata, position } = event
    if (isEarlier(event)) return earlierLines(event, bold, dim)
    const when = recordedAt.replace('T', ' ').replace(/\.\d+Z$/, '')
    const who = dim(`by ${visible(metadata.actor)}, position ${position}`)
    return [
      `${dim(when)}  ${bold(inWords(type))}  ${who}`,
      ...details(data).map((line) => `${indent}${line}`),
    ]
  })
}

/** Its own time comes first; the log has when and by whom it was imported. */
const earlierLines = (
  { data, metadata, position }: EarlierRecorded,
  bold: (text: string) => string,
  dim: (text: string) => string,
): readonly string[] => {
  const { source, identifier, dateTime, type, outcomes, detail } = data
  const who = dim(visible(`in ${source}, imported by ${metadata.actor}, position ${position}`))
  const texts = [detail, ...outcomes.flatMap(({ outcome, note }) => [outcome, note])].flatMap(
    (text) => text?.split('\n') ?? [],
  )
  return [
    `${dim(visible(dateTime))}  ${bold(visible(inWords(type)))}  ${who}`,
    ...[...texts, `${identifier.type} ${identifier.value}`].map((text) => `${indent}${visible(text)}`),
  ]
}

const indent = ' '.repeat('2026-01-31 12:00:00  '.length)

/** `ContentRecorded` → `Content recorded`. */
export const inWords = (name: string): string => {
  const words = name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Fields that hold sentences: each gets a line of its own, before the others. */
const sentences = ['because', 'summary', 'message', 'reason', 'error']
const longest = 100

const details = (data: unknown): readonly string[] => {
  if (typeof data !== 'object' || data === null) return []
  const fields = Object.entries(data)
  const texts = sentences.flatMap((name) =>
    fields
      .filter(([key, value]) => key === name && typeof value === 'string')
      .map(([, value]) => String(value)),
  )
  const others = fields
    .filter(([key]) => !sentences.includes(key) && key !== 'at')
    .map(([key, value]) => [inWords(key).toLowerCase(), brief(value)] as const)
    .filter(([, text]) => text !== '')
    .map(([key, text]) => `${key} ${text}`)
    .join(', ')
  return [...texts, ...(others ? [others] : [])].map(visible)
}

/** Scalars, and objects of two scalars at most, such as a checksum. Deeper values are left to the JSON. */
const brief = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(briefPart).filter(Boolean).join(' + ')
  return briefPart(value)
}

const briefPart = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return clip(String(value))
  const parts = Object.values(value)
  return parts.length <= 2 && parts.every((part) => typeof part !== 'object')
    ? parts.map((part) => clip(String(part), 20)).join(' ')
    : ''
}

const clip = (text: string, most = longest): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text
