import { fileToken } from '@fonds/cdx'
import { fileOf } from '../../../domain/indexing/file.ts'
import { dayOf } from '../../../domain/kernel/day.ts'

/** A word on the embargo of a file. */
export interface EmbargoWordAt {
  readonly position: bigint
  /** ISO 8601 UTC. */
  readonly at: string
  /** The last day of it; undefined: there is none. */
  readonly until: string | undefined
  /** It was the first word on the file: nobody can have seen a line of it. */
  readonly isFirst: boolean
}

/** A position of the log, and an ISO 8601 UTC time. */
export type Moment = Pick<EmbargoWordAt, 'position' | 'at'>

/** Whether captures are held back in whose lines a file has this name. */
export type HeldBack = (name: string) => boolean

/**
 * The embargoes of archive files. Lines have the name alone: an embargo holds for all files of that name. A look-up
 * does not become slower with their number.
 */
export interface Embargoes {
  /** Takes the next word in the log. */
  add(file: string, word: EmbargoWordAt): void
  /** The last day of a file's embargo, which may be over. */
  until(file: string): string | undefined
  /** Files that have, or had, an embargo. */
  files(): readonly string[]
  /** Undefined if nothing is held back at the time. */
  at(now: string): HeldBack | undefined
  /** Names whose captures are held back at a moment, and could be seen at one since another. */
  began(since: Moment, at: Moment): ReadonlySet<string>
  /** Names whose captures are not held back at a moment, and were at one since another. */
  ended(since: Moment, at: Moment): ReadonlySet<string>
}

export const createEmbargoes = (): Embargoes => {
  const wordsOf = new Map<string, EmbargoWordAt[]>()
  /** The last day by file, by the name of the file in lines. */
  const named = new Map<string, Map<string, string>>()
  /** How many files are held back until a day: few days, however many files. */
  const days = new Map<string, number>()
  let lastPosition = -1n

  const count = (day: string | undefined, by: 1 | -1): void => {
    if (day === undefined) return
    const files = (days.get(day) ?? 0) + by
    if (files === 0) days.delete(day)
    else days.set(day, files)
  }

  const namesWhere = (holds: (words: readonly EmbargoWordAt[]) => boolean): ReadonlySet<string> =>
    new Set([...wordsOf].flatMap(([file, words]) => (holds(words) ? [nameInLines(file)] : [])))

  return {
    add: (file, word) => {
      lastPosition = word.position
      const words = wordsOf.get(file)
      if (words) words.push(word)
      else wordsOf.set(file, [word])
      const name = nameInLines(file)
      const files = named.get(name) ?? new Map<string, string>()
      count(files.get(file), -1)
      count(word.until, 1)
      if (word.until === undefined) files.delete(file)
      else files.set(file, word.until)
      if (files.size === 0) named.delete(name)
      else named.set(name, files)
    },
    until: (file) => wordsOf.get(file)?.at(-1)?.until,
    files: () => [...wordsOf.keys()],
    at: (now) => {
      const today = dayOf(now)
      if (![...days.keys()].some((day) => today <= day)) return undefined
      return (name) => {
        const files = named.get(name)
        if (!files) return false
        for (const day of files.values()) if (today <= day) return true
        return false
      }
    },
    began: (since, at) => {
      if (lastPosition <= since.position) return new Set()
      const isBegun = (words: readonly EmbargoWordAt[]) => isSeenBetween(words, since, at)
      // Nothing could be seen of a name that another file held back all the time.
      return without(
        namesWhere((words) => holdsAt(words, at) && isBegun(words)),
        namesWhere((words) => holdsAt(words, at) && !isBegun(words)),
      )
    },
    ended: (since, at) => {
      if (lastPosition <= since.position && dayOf(since.at) === dayOf(at.at)) return new Set()
      return without(
        namesWhere((words) => holdsAt(words, since) || isHeldBetween(words, since, at)),
        namesWhere((words) => holdsAt(words, at)),
      )
    },
  }
}

const without = (names: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...names].filter((name) => !others.has(name)))

const nameInLines = (file: string): string => fileToken(fileOf(file).name)

const holdsAt = (words: readonly EmbargoWordAt[], { position, at }: Moment): boolean =>
  isHeld(
    words.findLast((word) => word.position <= position),
    at,
  )

const isHeld = (word: EmbargoWordAt | undefined, at: string): boolean =>
  word?.until !== undefined && dayOf(at) <= word.until

/** True if the embargo had not begun yet, or was over or lifted, before one of the words since then. */
const isSeenBetween = (words: readonly EmbargoWordAt[], since: Moment, at: Moment): boolean =>
  words.some((word, i) => isBetween(word, since, at) && !word.isFirst && !isHeld(words[i - 1], word.at))

const isHeldBetween = (words: readonly EmbargoWordAt[], since: Moment, at: Moment): boolean =>
  words.some((word) => isBetween(word, since, at) && isHeld(word, word.at))

const isBetween = ({ position }: EmbargoWordAt, since: Moment, at: Moment): boolean =>
  position > since.position && position <= at.position
