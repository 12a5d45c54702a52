import type { Match } from '../../domain/research/terms.ts'
import type { Condition } from '../../ports/view-store.ts'
import type { Occurrence } from './answers.ts'
import { compare, is, reader, rows, type Views } from './reading.ts'
import type { FindingRow } from './tables.ts'
import { clips, episodes, findings as shape } from './views.ts'

export interface FindingScope {
  readonly episode?: string
  readonly clip?: string
  /** In the title or id of the episode or the clip, in whatever case. */
  readonly text?: string
  /** Most occurrences: 1,000 unless told. */
  readonly limit?: number
}

/** Titles that are looked through for a text, and of those that have it, how many. */
const mostTitles = 100_000
const mostNamed = 1000

/** X3: where clips were found, episode by episode; one episode is a timeline. Of what was never curated nothing is told. */
export const findings = (
  store: Views,
  { episode, clip, text, limit = 1000 }: FindingScope = {},
): readonly Occurrence[] => {
  const within: readonly Condition[] = [
    ...(episode === undefined ? [] : [is('episode', episode)]),
    ...(clip === undefined ? [] : [is('clip', clip)]),
  ]
  const occurrencesOf = occurrenceReader(store)
  const found = new Map<string, readonly Occurrence[]>()
  let count = 0
  for (const more of text === undefined ? [[]] : named(store, text)) {
    if (count >= limit) break
    for (const row of rows(store, shape, {
      where: [...within, ...more, { column: 'matchCount', is: '>', value: 0 }],
      orderBy: [{ column: clip === undefined ? 'episode' : 'clip' }],
      limit,
    })) {
      const key = JSON.stringify([row.episode, row.clip])
      if (found.has(key)) continue
      const occurrences = occurrencesOf(row)
      found.set(key, occurrences)
      count += occurrences.length
    }
  }
  return [...found.values()].flat().sort(byPlace).slice(0, limit)
}

const occurrenceReader = (store: Views) => {
  const episodeOf = reader(store, episodes)
  const clipOf = reader(store, clips)
  return ({ episode, clip, matches, clipDuration }: FindingRow): readonly Occurrence[] => {
    const { title: episodeTitle, mediaUri } = episodeOf(episode) ?? {}
    const clipTitle = clipOf(clip)?.title
    if (!mediaUri || !episodeTitle || !clipTitle) return []
    return (matches as readonly Match[]).map(({ offset, score }) => ({
      episode,
      episodeTitle,
      clip,
      clipTitle,
      offset,
      score,
      duration: clipDuration ?? 0,
      link: linkTo(mediaUri, offset),
    }))
  }
}

/** What findings must be of, one condition after the other, to be of something with that text in its name. */
const named = (store: Views, text: string): readonly (readonly Condition[])[] => {
  const wanted = text.toLowerCase()
  const isNamed = (...names: readonly (string | null)[]) =>
    names.some((name) => name?.toLowerCase().includes(wanted))
  const limit = mostTitles
  return [
    ...rows(store, clips, { limit })
      .filter(({ clip, title }) => isNamed(clip, title))
      .map(({ clip }) => is('clip', clip)),
    ...rows(store, episodes, { limit })
      .filter(({ episode, title }) => isNamed(episode, title))
      .map(({ episode }) => is('episode', episode)),
  ]
    .slice(0, mostNamed)
    .map((condition) => [condition])
}

const byPlace = (one: Occurrence, other: Occurrence): number =>
  compare(one.episode, other.episode) || one.offset - other.offset || compare(one.clip, other.clip)

/** A media fragment (W3C) in seconds: players start there. It takes the place of one that the address has. */
export const linkTo = (mediaUri: string, offset: number): string =>
  `${mediaUri.replace(/#.*$/s, '')}#t=${Math.round(offset / 1e6) / 1000}`
