import { addMillis, earlier, SECOND } from '../../kernel/time.ts'

/** Last report of one machine's workers about a store: whether they find content of it. */
interface Word {
  readonly isThere: boolean
  readonly at: string
  /** Reason: what is there instead. Absent if it finds the store, and in views that an older program folded. */
  readonly why?: string
}

/** Where a store's content can be found, as machines report it. Times are ISO 8601 UTC. */
export interface Sightings {
  /** By machine. Empty unless some machine does not find it. */
  readonly words: Readonly<Record<string, Word>>
  /** Time since when no machine finds it, as far as that was reported; null if some machine does. */
  readonly since: string | null
  /** Time when the content was declared lost: its absence is a finding from then on. Null if it was not. */
  readonly goneAt: string | null
}

export const noSightings: Sightings = { words: {}, since: null, goneAt: null }

/**
 * `away`: no machine finds any of it, and it may come back; nothing is checked, and nothing is said of the content.
 * `unavailableTooLong`: a person declared it lost, or it was unavailable for as long as its policy waits: missing content is a
 * finding.
 */
export type Standing = { readonly kind: 'there' } | { readonly kind: 'away' | 'gone'; readonly since: string }

/** `awaySeconds` is the policy's. A store becomes `unavailableTooLong` by time alone, without any event. */
export const standingOf = (sightings: Sightings, awaySeconds: number, now: string): Standing => {
  if (sightings.goneAt !== null) return { kind: 'gone', since: sightings.since ?? sightings.goneAt }
  const since = awaySince(sightings, awaySeconds, now)
  if (since === null) return { kind: 'there' }
  return { kind: addMillis(since, awaySeconds * SECOND) <= now ? 'gone' : 'away', since }
}

/**
 * A machine that finds it outweighs those that do not, for as long as its report is valid: it may be switched off by
 * now.
 */
const awaySince = ({ words, since }: Sightings, awaySeconds: number, now: string): string | null => {
  const reports = Object.values(words)
  if (reports.every(({ isThere }) => isThere)) return null
  const until = reports
    .filter(({ isThere }) => isThere)
    .map(({ at }) => addMillis(at, awaySeconds * SECOND))
    .sort()
    .at(-1)
  if (until !== undefined && until > now) return null
  return since ?? until ?? null
}

/** Returns the machines that find it, by reports that are still valid. */
export const whereItIs = ({ words }: Sightings, awaySeconds: number, now: string): readonly string[] =>
  Object.entries(words)
    .filter(([, { isThere, at }]) => isThere && addMillis(at, awaySeconds * SECOND) > now)
    .map(([place]) => place)

export const isAwayFor = ({ words }: Sightings, place: string): boolean => words[place]?.isThere === false

/** True if it is news that a machine does not find the store: it found it before, or something else instead. */
export const isAwayNews = ({ words, goneAt }: Sightings, place: string, why: string): boolean => {
  if (goneAt !== null) return false
  const last = words[place]
  return last?.isThere !== false || (last.why !== undefined && last.why !== why)
}

interface Miss {
  readonly place: string
  readonly at: string
  /** Reason: what is there instead. */
  readonly why: string
}

/** Returns the sightings after a machine has reported that it does not find the store. */
export const notFound = (sightings: Sightings, { place, at, why }: Miss, awaySeconds: number): Sightings => {
  const before = awaySince(sightings, awaySeconds, at)
  const words = { ...sightings.words, [place]: { isThere: false, at, why } }
  const isElsewhere = whereItIs({ ...sightings, words }, awaySeconds, at).length > 0
  return { ...sightings, words, since: before ?? (isElsewhere ? null : at) }
}

/** Returns the sightings after a machine has reported that it finds the store. Empty if no other machine misses it. */
export const found = ({ words: before }: Sightings, place: string, at: string): Sightings => {
  const words = { ...before, [place]: { isThere: true, at } }
  return Object.values(words).every(({ isThere }) => isThere)
    ? noSightings
    : { words, since: null, goneAt: null }
}

export const unavailableTooLong = (sightings: Sightings, at: string): Sightings => ({
  ...sightings,
  goneAt: at,
})

/** A valid report is not repeated within this time. */
const minRepeatSeconds = 60

/** True if it is news that a machine finds the store: others miss it, and its own last report expires soon. */
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
