import { addMillis, earlier, SECOND } from '../../kernel/time.ts'

/** What the workers of one machine last said of a store: whether they find content of it. */
interface Word {
  readonly isThere: boolean
  readonly at: string
}

/** What is known of where a store's content can be found, beside its rules. Times are ISO 8601 UTC. */
export interface Sightings {
  /** By machine. Empty unless some machine does not find it. */
  readonly words: Readonly<Record<string, Word>>
  /** Since when nobody finds it, where it was told; null where somebody does. */
  readonly since: string | null
  /** When it was settled that the content is gone: its absence is a finding from then on. Null where it was not. */
  readonly goneAt: string | null
}

export const noSightings: Sightings = { words: {}, since: null, goneAt: null }

/**
 * `away`: nobody finds any of it, and it may come back; nothing is checked, and nothing is said of the content. `gone`: a person
 * said so, or it was away for as long as its policy waits: what is absent is a finding.
 */
export type Standing = { readonly kind: 'there' } | { readonly kind: 'away' | 'gone'; readonly since: string }

/** `awaySeconds` is the policy's. Time alone makes a store gone, without any event. */
export const standingOf = (sightings: Sightings, awaySeconds: number, now: string): Standing => {
  if (sightings.goneAt !== null) return { kind: 'gone', since: sightings.since ?? sightings.goneAt }
  const since = awaySince(sightings, awaySeconds, now)
  if (since === null) return { kind: 'there' }
  return { kind: addMillis(since, awaySeconds * SECOND) <= now ? 'gone' : 'away', since }
}

/** A machine that finds it outweighs those that do not, for as long as its word counts: it may be switched off by now. */
const awaySince = ({ words, since }: Sightings, awaySeconds: number, now: string): string | null => {
  const said = Object.values(words)
  if (said.every(({ isThere }) => isThere)) return null
  const until = said
    .filter(({ isThere }) => isThere)
    .map(({ at }) => addMillis(at, awaySeconds * SECOND))
    .sort()
    .at(-1)
  if (until !== undefined && until > now) return null
  return since ?? until ?? null
}

/** The machines that find it, by words that still count. */
export const whereItIs = ({ words }: Sightings, awaySeconds: number, now: string): readonly string[] =>
  Object.entries(words)
    .filter(([, { isThere, at }]) => isThere && addMillis(at, awaySeconds * SECOND) > now)
    .map(([place]) => place)

export const isAwayFor = ({ words }: Sightings, place: string): boolean => words[place]?.isThere === false

/** The sightings once a machine has said that it does not find the store. */
export const notFound = (sightings: Sightings, place: string, at: string, awaySeconds: number): Sightings => {
  const before = awaySince(sightings, awaySeconds, at)
  const words = { ...sightings.words, [place]: { isThere: false, at } }
  const isElsewhere = whereItIs({ ...sightings, words }, awaySeconds, at).length > 0
  return { ...sightings, words, since: before ?? (isElsewhere ? null : at) }
}

/** The sightings once a machine has said that it finds the store. Where no other misses it, nothing needs to be kept. */
export const found = ({ words: before }: Sightings, place: string, at: string): Sightings => {
  const words = { ...before, [place]: { isThere: true, at } }
  return Object.values(words).every(({ isThere }) => isThere)
    ? noSightings
    : { words, since: null, goneAt: null }
}

export const gone = (sightings: Sightings, at: string): Sightings => ({ ...sightings, goneAt: at })

/** A word that counts is not said again within this time. */
const minRepeatSeconds = 60

/** Whether it is news that a machine finds the store: others miss it, and its own last word does not count for long any more. */
export const isNews = (
  { words, goneAt }: Sightings,
  place: string,
  at: string,
  awaySeconds: number,
): boolean => {
  if (goneAt !== null) return true
  if (Object.values(words).every(({ isThere }) => isThere)) return false
  const own = words[place]
  if (!own?.isThere) return true
  const repeat = Math.max(awaySeconds / 2, minRepeatSeconds)
  return addMillis(earlier(own.at, at), repeat * SECOND) <= at
}
