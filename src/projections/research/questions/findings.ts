import { isBucketAddress } from '../../../domain/kernel/bucket-address.ts'
import { areAll, type ConditionOn, is, narrowRows, rows, tally } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { matchedDuration } from '../../../domain/research/terms.ts'
import { clips, episodes, findings as shape, verdicts } from '../../../domain/research/views.ts'
import type { FindingRow } from '../tables.ts'
import type { Occurrence } from './answers.ts'
import { gapsOf } from './gaps.ts'
import { compare, reader } from './reading.ts'
import { ranked } from './rivals.ts'

export interface FindingScope {
  readonly episode?: string
  readonly clip?: string
  /** In the title or id of the episode or the clip, in whatever case. */
  readonly text?: string
}

interface FindingPage extends FindingScope {
  readonly offset?: number
  /** Most occurrences. Default: 1,000. */
  readonly limit?: number
}

interface Found {
  readonly findings: readonly Occurrence[]
  /** Number of all occurrences, with those of clips and episodes that were never curated, which are not listed. */
  readonly total: number
}

/** Most titles that are searched for a text. */
const maxTitles = 100_000

/** X3: where clips were found, episode by episode. */
export const findings = (store: Views, { limit = 1000, offset = 0, ...scope }: FindingPage = {}): Found => {
  const named = scope.text === undefined ? undefined : namedBy(store, scope.text)
  const isAsked = ({ episode, clip }: Occurrence) =>
    (scope.clip === undefined || clip === scope.clip) &&
    (named === undefined || named.episodes.has(episode) || named.clips.has(clip))
  const occurrencesOf = occurrenceReader(store)
  const found: Occurrence[] = []
  let total = 0
  for (const { episode, matchCount } of countedByEpisode(store, scope, named)) {
    const [from, to] = [Math.max(0, offset - total), offset + limit - total]
    if (from < matchCount && to > 0) {
      // All findings of the episode: rivals for the same place are named, too.
      const all = rows(store, shape, { where: [is('episode', episode)], limit: maxRivals })
      found.push(...ranked(all.flatMap(occurrencesOf)).filter(isAsked).slice(from, to))
    }
    total += matchCount
  }
  return { findings: found, total }
}

const maxRivals = 10_000

/** How many places each episode has, in the order of their ids. */
const countedByEpisode = (store: Views, { episode, clip }: FindingScope, named: Named | undefined) => {
  const counted = (...where: readonly ConditionOn<typeof shape>[]) =>
    tally(store, shape, {
      by: ['episode'],
      sum: ['matchCount'],
      where: [...areAll({ episode, clip }), ...where],
    })
  if (!named) return counted()
  const byEpisode = [
    ...counted({ column: 'clip', is: 'in', value: [...named.clips] }),
    ...counted({ column: 'episode', is: 'in', value: [...named.episodes] }),
  ].map((count) => [count.episode, count] as const)
  // If the text is in an episode's own title or id, the later count has all of its findings.
  return [...new Map(byEpisode).values()].sort((one, other) => compare(one.episode, other.episode))
}

const occurrenceReader = (store: Views) => {
  const episodeOf = reader(store, episodes)
  const clipOf = reader(store, clips)
  const judgedAt = verdictReader(store)
  const undecodedIn = undecodedReader(store)
  return ({ episode, clip, matches, clipDuration }: FindingRow): readonly Occurrence[] => {
    const { title: episodeTitle, mediaUri } = episodeOf(episode) ?? {}
    const clipTitle = clipOf(clip)?.title
    if (!mediaUri || !episodeTitle || !clipTitle) return []
    const undecoded = undecodedIn(episode)
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
      ...(undecoded !== undefined && { undecoded }),
      ...judgedAt(episode, clip, match.offset),
    }))
  }
}

/** Reads how much of an episode cannot be decoded; each is read once. */
const undecodedReader = (store: Views) => {
  const known = new Map<string, number | undefined>()
  return (episode: string): number | undefined => {
    if (!known.has(episode)) known.set(episode, gapsOf(store, { episode })[0]?.duration)
    return known.get(episode)
  }
}

/** Reads the verdict on a place; the verdicts of each episode are read once. */
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

interface Named {
  readonly clips: ReadonlySet<string>
  readonly episodes: ReadonlySet<string>
}

/** The clips and the episodes with that text in title or id. */
const namedBy = (store: Views, text: string): Named => {
  const wanted = text.toLowerCase()
  const isNamed = (...names: readonly (string | null)[]) =>
    names.some((name) => name?.toLowerCase().includes(wanted))
  const limit = maxTitles
  return {
    clips: new Set(
      narrowRows(store, clips, ['clip', 'title'], { limit })
        .filter(({ clip, title }) => isNamed(clip, title))
        .map(({ clip }) => clip),
    ),
    episodes: new Set(
      narrowRows(store, episodes, ['episode', 'title'], { limit })
        .filter(({ episode, title }) => isNamed(episode, title))
        .map(({ episode }) => episode),
    ),
  }
}

/**
 * The address with a media fragment (W3C) in seconds, at which players start, in place of its own fragment. A key in a
 * bucket has none.
 */
export const linkTo = (mediaUri: string, offset: number): string =>
  `${isBucketAddress(mediaUri) ? mediaUri : mediaUri.replace(/#.*$/s, '')}#t=${Math.round(offset / 1e6) / 1000}`
