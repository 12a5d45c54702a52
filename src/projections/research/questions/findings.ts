import { is, rows } from '../../../domain/kernel/read-views.ts'
import type { Condition, Views } from '../../../domain/kernel/view.ts'
import { clips, episodes, findings as shape } from '../../../domain/research/views.ts'
import type { FindingRow } from '../tables.ts'
import type { Occurrence } from './answers.ts'
import { compare, reader } from './reading.ts'

export interface FindingScope {
  readonly episode?: string
  readonly clip?: string
  /** In the title or id of the episode or the clip, in whatever case. */
  readonly text?: string
  /** Most occurrences. Default: 1,000. */
  readonly limit?: number
}

/** Titles that are searched for a text, and ids that may match. */
const maxTitles = 100_000
const maxNamed = 1000

/** X3: where clips were found, episode by episode, without what was never curated. */
export const findings = (
  store: Views,
  { episode, clip, text, limit = 1000 }: FindingScope = {},
): readonly Occurrence[] => {
  const within = [
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
    return matches.map(({ offset, score }) => ({
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

/** A condition for each clip and episode with that text in its title or id. */
const named = (store: Views, text: string): readonly (readonly Condition<'clip' | 'episode'>[])[] => {
  const wanted = text.toLowerCase()
  const isNamed = (...names: readonly (string | null)[]) =>
    names.some((name) => name?.toLowerCase().includes(wanted))
  const limit = maxTitles
  return [
    ...rows(store, clips, { limit })
      .filter(({ clip, title }) => isNamed(clip, title))
      .map(({ clip }) => is('clip', clip)),
    ...rows(store, episodes, { limit })
      .filter(({ episode, title }) => isNamed(episode, title))
      .map(({ episode }) => is('episode', episode)),
  ]
    .slice(0, maxNamed)
    .map((condition) => [condition])
}

const byPlace = (one: Occurrence, other: Occurrence): number =>
  compare(one.episode, other.episode) || one.offset - other.offset || compare(one.clip, other.clip)

/** The address with a media fragment (W3C) in seconds, at which players start, in place of its own fragment. */
export const linkTo = (mediaUri: string, offset: number): string =>
  `${mediaUri.replace(/#.*$/s, '')}#t=${Math.round(offset / 1e6) / 1000}`
