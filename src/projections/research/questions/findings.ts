import { is, rows } from '../../../domain/kernel/read-views.ts'
import type { Condition, Views } from '../../../domain/kernel/view.ts'
import { matchedDuration } from '../../../domain/research/terms.ts'
import { clips, episodes, findings as shape, verdicts } from '../../../domain/research/views.ts'
import type { FindingRow } from '../tables.ts'
import type { Occurrence } from './answers.ts'
import { reader } from './reading.ts'
import { ranked } from './rivals.ts'

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
  const all = [...found.values()].flat()
  const isWhole = clip === undefined && text === undefined && count < limit
  return ranked(all, isWhole ? all : occurrencesIn(store, all, occurrencesOf)).slice(0, limit)
}

const maxRivals = 10_000

/** Whatever was found in the episodes of these. */
const occurrencesIn = (
  store: Views,
  some: readonly Occurrence[],
  occurrencesOf: (row: FindingRow) => readonly Occurrence[],
): readonly Occurrence[] =>
  [...new Set(some.map(({ episode }) => episode))].flatMap((episode) =>
    rows(store, shape, {
      where: [is('episode', episode), { column: 'matchCount', is: '>', value: 0 }],
      limit: maxRivals,
    }).flatMap(occurrencesOf),
  )

const occurrenceReader = (store: Views) => {
  const episodeOf = reader(store, episodes)
  const clipOf = reader(store, clips)
  const judgedAt = verdictReader(store)
  return ({ episode, clip, matches, clipDuration }: FindingRow): readonly Occurrence[] => {
    const { title: episodeTitle, mediaUri } = episodeOf(episode) ?? {}
    const clipTitle = clipOf(clip)?.title
    if (!mediaUri || !episodeTitle || !clipTitle) return []
    return matches.map((match) => ({
      episode,
      episodeTitle,
      clip,
      clipTitle,
      offset: match.offset,
      score: match.score,
      duration: matchedDuration(match, clipDuration ?? 0),
      link: linkTo(mediaUri, match.offset),
      ...(match.part && { partFrom: match.part.from, partTo: match.part.to }),
      ...(match.speed !== undefined && { speed: match.speed }),
      ...judgedAt(episode, clip, match.offset),
    }))
  }
}

/** What was said of a place; the verdicts of each episode are read once. */
const verdictReader = (store: Views) => {
  const known = new Map<string, ReadonlyMap<string, Pick<Occurrence, 'verdict' | 'judgedBy'>>>()
  const keyOf = (clip: string, offset: number) => `${offset} ${clip}`
  const read = (episode: string) =>
    new Map(
      rows(store, verdicts, { where: [is('episode', episode)] }).map(
        ({ clip, offset, verdict, actor }) =>
          [keyOf(clip, offset), { ...(verdict && { verdict }), judgedBy: actor }] as const,
      ),
    )
  return (episode: string, clip: string, offset: number) => {
    const judged = known.get(episode) ?? read(episode)
    known.set(episode, judged)
    return judged.get(keyOf(clip, offset))
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

/** The address with a media fragment (W3C) in seconds, at which players start, in place of its own fragment. */
export const linkTo = (mediaUri: string, offset: number): string =>
  `${mediaUri.replace(/#.*$/s, '')}#t=${Math.round(offset / 1e6) / 1000}`
