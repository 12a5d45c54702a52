import * as t from 'io-ts'
import { annotate } from '../kernel/annotation.ts'
import { isBucketAddress, isObjectAddress } from '../kernel/bucket-address.ts'
import { NonNegativeInteger, PositiveInteger, Text } from '../kernel/codecs.ts'
import { streamName } from '../kernel/event.ts'
import { idCodec } from '../kernel/id.ts'

/*
 * A pair is one episode and one clip: the unit of research. Durations and offsets are whole nanoseconds, times ISO 8601
 * UTC.
 */

const maxIdLength = 200

export const EpisodeId = idCodec('episode id', maxIdLength)
export const ClipId = idCodec('clip id', maxIdLength)
export const ResearcherId = idCodec('researcher id', maxIdLength)
export const LeaseId = idCodec('lease id', maxIdLength)

/** Curation, leases and results of one episode in one stream: it is the consistency boundary of its pairs. */
export const episodeCategory = 'episode'
export const episodeStream = (episode: string): string => streamName(episodeCategory, episode)

export const clipCategory = 'clip'
export const clipStream = (clip: string): string => streamName(clipCategory, clip)

export const researcherCategory = 'researcher'
export const researcherStream = (researcher: string): string => streamName(researcherCategory, researcher)

/** The policy: settings, pauses, exclusions. One stream, whose category keeps its first name. */
export const policyCategory = 'desk'
export const policyStream = streamName(policyCategory, 'research')

/** The assigner's assessments. One stream. */
export const capacityCategory = 'capacity'
export const capacityStream = streamName(capacityCategory, 'research')

/** Higher goes first. Episodes and clips have separate scales (L10, L11). */
export const Priority = annotate(
  t.refinement(
    t.number,
    (n) => Number.isSafeInteger(n) && Math.abs(n) <= 1_000_000,
    'whole number from -1000000 to 1000000',
  ),
  { type: 'integer', minimum: -1_000_000, maximum: 1_000_000 },
)

/** Absolute, so that any researcher can fetch it. The key of `s3://bucket/key` stands as it is, without escapes. */
export const MediaUri = annotate(
  t.refinement(
    Text,
    (s) => s.length <= 2048 && isMediaUri(s),
    'absolute http, https, file or s3 (s3://bucket/key) address of at most 2048 characters',
  ),
  { maxLength: 2048, pattern: '^(https?|file|s3)://' },
)

const isMediaUri = (text: string): boolean => {
  if (isBucketAddress(text)) return isObjectAddress(text)
  if (!/^(https?|file):\/\//.test(text) || !URL.canParse(text)) return false
  const { protocol, host, username, password } = new URL(text)
  return (protocol === 'file:' || host !== '') && username === '' && password === ''
}

/** As the curator declares it; researchers read the bytes. */
export const MediaType = annotate(
  t.refinement(
    t.string,
    (s) => /^[a-z0-9.+-]{1,60}\/[a-z0-9.+-]{1,60}$/.test(s),
    'media type such as audio/mpeg',
  ),
  { pattern: '^[a-z0-9.+-]{1,60}/[a-z0-9.+-]{1,60}$', examples: ['audio/mpeg'] },
)

export const Media = t.intersection(
  [
    t.type({ uri: MediaUri, type: MediaType }),
    /** Named by a party outside this machine. */
    t.partial({ foreign: t.boolean }),
  ],
  'media',
)
export type Media = t.TypeOf<typeof Media>

/** Text for people, of at most `longest` characters. */
export const shortText = (longest: number) =>
  annotate(
    t.refinement(Text, (s) => s.length <= longest, `text of 1 to ${longest} characters`),
    { maxLength: longest },
  )

/** The search engine. Results are probable, never certain: another engine may find otherwise (X9, X10). */
export const Engine = t.type(
  {
    name: shortText(50),
    version: shortText(50),
    /** Text that distinguishes one set of settings from another: `rate=8000 threshold=0.6`. */
    settings: annotate(
      t.refinement(t.string, (s) => s.isWellFormed() && s.length <= 300, 'text of at most 300 characters'),
      { maxLength: 300 },
    ),
  },
  'engine',
)
export type Engine = t.TypeOf<typeof Engine>

/** Results are distinguished by engine and version, not by settings. */
export const engineKey = ({ name, version }: Pick<Engine, 'name' | 'version'>): string => `${name} ${version}`

/** A person's verdict on a place where a clip was found. */
export const Verdict = t.keyof(
  { confirmed: null, rejected: null, unsure: null },
  'confirmed, rejected or unsure',
)
export type Verdict = t.TypeOf<typeof Verdict>

export const Score = annotate(
  t.refinement(t.number, (n) => n >= 0 && n <= 1, 'number from 0 to 1'),
  { minimum: 0, maximum: 1 },
)

/** The part of a clip that is in an episode which begins or ends within it: nanoseconds of the clip. */
const Part = annotate(
  t.refinement(
    t.type({ from: NonNegativeInteger, to: NonNegativeInteger }),
    ({ from, to }) => from < to,
    'part of a clip (from < to, in nanoseconds)',
  ),
  {},
)

const Speed = annotate(
  t.refinement(t.number, (n) => n >= 0.5 && n <= 2, 'number from 0.5 to 2'),
  { minimum: 0.5, maximum: 2 },
)

/**
 * One occurrence of the clip in the episode: its offset and its score. `part`: the clip is not there as a whole, and
 * `offset` is the start of the part. `speed`: the factor by which the episode plays it faster; 1 if absent.
 */
export const Match = t.intersection(
  [t.type({ offset: NonNegativeInteger, score: Score }), t.partial({ part: Part, speed: Speed })],
  'match',
)
export type Match = t.TypeOf<typeof Match>

/** Returns the duration of a match in the episode, in nanoseconds. */
export const matchedDuration = (
  { part, speed = 1 }: Pick<Match, 'part' | 'speed'>,
  clipDuration: number,
): number => Math.round((part ? part.to - part.from : clipDuration) / speed)

/** A stretch that cannot be decoded. */
export const Gap = t.type({ offset: NonNegativeInteger, duration: PositiveInteger }, 'gap')
export type Gap = t.TypeOf<typeof Gap>

/** The longest gaps that are listed. */
export const maxGaps = 20

/**
 * Stretches of an episode that cannot be decoded, as its file is damaged or cut off: nothing is found in them. `count` and
 * `duration` are of all; `places` lists them, or the longest.
 */
export const Gaps = t.type(
  {
    count: PositiveInteger,
    duration: PositiveInteger,
    places: annotate(
      t.refinement(
        t.array(Gap),
        (places) =>
          places.length <= maxGaps &&
          places.every(({ offset }, i) => i === 0 || places[i - 1]!.offset < offset),
        `at most ${maxGaps} gaps by growing offset`,
      ),
      { maxItems: maxGaps },
    ),
  },
  'gaps',
)
export type Gaps = t.TypeOf<typeof Gaps>

/** The recording of a result that has no sound in any channel, and no gaps. */
export const Silent = t.keyof({ episode: null, clip: null }, 'episode or clip')

/** Hash of the file as it was fetched; SHA-256 in lower-case hex if Fonds' own researcher sends it. */
export const MediaHash = shortText(128)
