import { shellWord } from '../../domain/kernel/shell-word.ts'
import type { Views } from '../../domain/kernel/view.ts'
import type { EventStore } from '../../ports/event-store.ts'
import type { Point, ViewStore } from '../../ports/view-store.ts'
import type { Projection } from './projection.ts'
import type { AskedOf } from './question.ts'

/** A thing that a search found, and where it is shown. */
export interface Hit {
  /** Its id, as commands take it. */
  readonly id: string
  /** Its title, if it has one beside its id. */
  readonly title?: string | null
  /** Its state, or the whole that it is a part of. */
  readonly note?: string | null
  /** The command line that shows it. */
  readonly command: string
  /** Address of the page that shows it, from the root: `/log/events/42`. Absent: there is none. */
  readonly page?: string
  /** True if the text is its id, its title or its name. */
  readonly isExact: boolean
}

export interface Hits {
  /** The best first; at most `limit`. */
  readonly hits: readonly Hit[]
  /** Number of all, as far as they were counted. */
  readonly total: number
  /** False: there are more than `total`. */
  readonly isAll: boolean
  /** Sentences about what was not compared. */
  readonly notCompared?: readonly string[]
}

export const noHits: Hits = { hits: [], total: 0, isAll: true }

export interface Search {
  /** Not empty, without blanks around it. */
  readonly text: string
  /** Most hits. */
  readonly limit: number
}

/** Views, now or as of a moment. */
export type SearchedViews = Views & Pick<ViewStore, 'withWord' | 'shape'>

/** Where finders look. */
export interface Searched {
  /** Those of the finder's projection, at the moment. */
  readonly views: SearchedViews
  readonly eventStore: EventStore
  /** Dependencies of one workflow alone, under its name. */
  readonly of: AskedOf
  readonly asOf?: Point
  readonly signal: AbortSignal
}

/**
 * Finds the things of one kind. Each query must be answered by an index: it may be called at every key that a person
 * presses, with a million things of each kind.
 */
export interface Finder {
  /** Unique, for ever: `fixity-items`. */
  readonly kind: string
  /** Name of the kind in the plural: `Items`. */
  readonly title: string
  /** The projection of its views; absent: it reads none. */
  readonly projection?: Projection
  find(searched: Searched, search: Search): Hits | Promise<Hits>
}

/** A command line. `values` come from outside: they are quoted, and none is taken for an option. */
export const commandLine = (words: string, ...values: readonly string[]): string =>
  [
    `fonds ${words}`,
    ...(values.some((value) => value.startsWith('-')) ? ['--'] : []),
    ...values.map((value) => (value === '' ? "''" : shellWord(value))),
  ].join(' ')

/** An address of the page; values are percent-encoded: pageAt`/matching/graphs/${work}`. */
export const pageAt = (texts: TemplateStringsArray, ...values: readonly (string | number)[]): string =>
  String.raw({ raw: texts }, ...values.map((value) => encodeURIComponent(value)))

/** A number as people write it: `42`, `#42`, `@4,182,904`; undefined if the text is none. */
export const numberIn = (text: string): number | undefined => {
  const digits = /^[#@]?(\d{1,3}(?:[,\u00a0 ]\d{3})*|\d{1,15})$/.exec(text)?.[1]?.replaceAll(/\D/g, '')
  return digits === undefined || digits.length > 15 ? undefined : Number(digits)
}
