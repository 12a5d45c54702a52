import * as t from 'io-ts'
import { annotate } from '../kernel/annotation.ts'
import { NonNegativeInteger, Text } from '../kernel/codecs.ts'
import { streamName } from '../kernel/event.ts'
import { idCodec } from '../kernel/id.ts'

/*
 * A pair is one episode and one clip: the unit that is researched, once. Durations and offsets are whole nanoseconds,
 * times ISO 8601 UTC.
 */

export const longestId = 200

export const EpisodeId = idCodec('episode id', longestId)
export const ClipId = idCodec('clip id', longestId)
export const ResearcherId = idCodec('researcher id', longestId)
export const LeaseId = idCodec('lease id', longestId)

/** Curation, leases and results of one episode: what must never be in two minds about a pair stands in one stream. */
export const episodeCategory = 'episode'
export const episodeStream = (episode: string): string => streamName(episodeCategory, episode)

export const clipCategory = 'clip'
export const clipStream = (clip: string): string => streamName(clipCategory, clip)

export const researcherCategory = 'researcher'
export const researcherStream = (researcher: string): string => streamName(researcherCategory, researcher)

/** What people decide for the whole of the work: settings, pauses, exclusions. One stream. */
export const deskCategory = 'desk'
export const deskStream = streamName(deskCategory, 'research')

/** What the assigner found at each look that led to something. One stream. */
export const capacityCategory = 'capacity'
export const capacityStream = streamName(capacityCategory, 'research')

/** Higher goes first. Those of episodes and those of clips are scales of their own (L10, L11). */
export const Priority = annotate(
  t.refinement(
    t.number,
    (n) => Number.isSafeInteger(n) && Math.abs(n) <= 1_000_000,
    'whole number from -1000000 to 1000000',
  ),
  { type: 'integer', minimum: -1_000_000, maximum: 1_000_000 },
)

/** Absolute, so that any researcher can fetch it. */
export const MediaUri = annotate(
  t.refinement(
    Text,
    (s) => s.length <= 2048 && isMediaUri(s),
    'absolute http, https or file address of at most 2048 characters',
  ),
  { maxLength: 2048, format: 'uri', pattern: '^(https?|file)://' },
)

const isMediaUri = (text: string): boolean => {
  if (!/^(https?|file):\/\//.test(text) || !URL.canParse(text)) return false
  const { protocol, host, username, password } = new URL(text)
  return (protocol === 'file:' || host !== '') && username === '' && password === ''
}

/** As the curator says it; researchers look at the bytes. */
export const MediaType = annotate(
  t.refinement(
    t.string,
    (s) => /^[a-z0-9.+-]{1,60}\/[a-z0-9.+-]{1,60}$/.test(s),
    'media type such as audio/mpeg',
  ),
  { pattern: '^[a-z0-9.+-]{1,60}/[a-z0-9.+-]{1,60}$', examples: ['audio/mpeg'] },
)

export const Media = t.type({ uri: MediaUri, type: MediaType }, 'media')
export type Media = t.TypeOf<typeof Media>

/** Text for people, of at most so many characters. */
export const shortText = (longest: number) =>
  annotate(
    t.refinement(Text, (s) => s.length <= longest, `text of 1 to ${longest} characters`),
    { maxLength: longest },
  )

/** What found it, or did not: results are probable, never certain, and another engine may judge otherwise (X9, X10). */
export const Engine = t.type(
  {
    name: shortText(50),
    version: shortText(50),
    /** In words that tell one set of settings from another: `rate=8000 threshold=0.6`. */
    settings: annotate(
      t.refinement(t.string, (s) => s.isWellFormed() && s.length <= 300, 'text of at most 300 characters'),
      { maxLength: 300 },
    ),
  },
  'engine',
)
export type Engine = t.TypeOf<typeof Engine>

/** Engine and version, as results are told apart by it; settings are noted, and tell nothing apart. */
export const engineKey = ({ name, version }: Pick<Engine, 'name' | 'version'>): string => `${name} ${version}`

export const Score = annotate(
  t.refinement(t.number, (n) => n >= 0 && n <= 1, 'number from 0 to 1'),
  { minimum: 0, maximum: 1 },
)

/** One occurrence of the clip in the episode: where it begins, and how sure that is. */
export const Match = t.type({ offset: NonNegativeInteger, score: Score }, 'match')
export type Match = t.TypeOf<typeof Match>

/** Of the file as it was fetched; SHA-256 in lower-case hex where Fonds' own researcher says it. */
export const MediaHash = shortText(128)
