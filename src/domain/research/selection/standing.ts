import * as t from 'io-ts'
import { Time } from '../../kernel/codecs.ts'
import type { CurationEvent } from '../curating.ts'
import type { Failure } from './failure.ts'

/**
 * The state that decides whether, and when, an episode or clip is leased: curation, persons' decisions and failures.
 */
export class Standing {
  readonly id: string
  /** Undefined: never curated. A result or lease may name an id that no curator has sent yet. */
  curator: string | undefined
  firstCuratedAt: string | undefined
  /** `firstCuratedAt` in milliseconds. */
  first = 0
  curatorPriority = 0
  personPriority: number | null = null
  pinned = false
  withdrawn = false
  excluded = false
  /** For an episode: parked, since too many leases in a row expired without a report. */
  unheard = false
  failure: Failure | undefined

  constructor(id: string) {
    this.id = id
  }

  /** A person's priority overrides the curator's. */
  get priority(): number {
    return this.personPriority ?? this.curatorPriority
  }

  /** Returns true if its place may change. Being seen again changes nothing (F21). */
  fold({ type, data }: CurationEvent): boolean {
    switch (type) {
      case 'Curated':
        this.curator = data.curator
        this.curatorPriority = data.priority
        this.#since(data.firstCuratedAt)
        // The stream may have been deleted and started again.
        this.withdrawn = false
        return true
      case 'Recurated':
        return false
      case 'Amended':
        this.curator = data.curator
        this.curatorPriority = data.priority
        this.withdrawn = false
        return true
      case 'Withdrawn':
        this.withdrawn = true
        return true
      case 'Prioritised':
        this.personPriority = data.priority
        return true
      case 'Pinned':
      case 'Unpinned':
        this.pinned = type === 'Pinned'
        return true
      case 'Excluded':
      case 'Included':
        this.excluded = type === 'Excluded'
        return true
    }
  }

  record(): StandingRecord {
    return {
      id: this.id,
      curator: this.curator ?? null,
      firstCuratedAt: this.firstCuratedAt ?? null,
      curatorPriority: this.curatorPriority,
      personPriority: this.personPriority,
      pinned: this.pinned,
      withdrawn: this.withdrawn,
      excluded: this.excluded,
      unheard: this.unheard,
    }
  }

  static restore({ id, curator, firstCuratedAt, ...rest }: StandingRecord): Standing {
    const standing = Object.assign(new Standing(id), rest)
    standing.curator = curator ?? undefined
    if (firstCuratedAt !== null) standing.#since(firstCuratedAt)
    return standing
  }

  #since(firstCuratedAt: string): void {
    this.firstCuratedAt = firstCuratedAt
    this.first = Date.parse(firstCuratedAt)
  }
}

/** A standing in a snapshot, without its failure. */
export const StandingRecord = t.strict({
  id: t.string,
  curator: t.union([t.string, t.null]),
  firstCuratedAt: t.union([Time, t.null]),
  curatorPriority: t.number,
  personPriority: t.union([t.number, t.null]),
  pinned: t.boolean,
  withdrawn: t.boolean,
  excluded: t.boolean,
  unheard: t.boolean,
})
export type StandingRecord = t.TypeOf<typeof StandingRecord>

/** The reasons why an episode or a clip is not leased at all, the weightiest first. */
type Ineligibility =
  | { readonly kind: 'unknown' | 'withdrawn' | 'excluded' | 'curator-excluded' | 'parked' }
  | { readonly kind: 'backing-off'; readonly until: string }

export const whyIneligible = (
  { curator, withdrawn, excluded, unheard, failure }: Standing,
  excludedCurators: ReadonlySet<string>,
): Ineligibility[] => {
  const found: Ineligibility[] = []
  if (curator === undefined) found.push({ kind: 'unknown' })
  if (withdrawn) found.push({ kind: 'withdrawn' })
  if (excluded) found.push({ kind: 'excluded' })
  if (curator !== undefined && excludedCurators.has(curator)) found.push({ kind: 'curator-excluded' })
  if (unheard || (failure && failure.retryAt === undefined)) found.push({ kind: 'parked' })
  if (failure?.retryAt !== undefined) found.push({ kind: 'backing-off', until: failure.retryAt })
  return found
}

/** Pinned by itself, or with its curator. */
export const isPinned = ({ pinned, curator }: Standing, pinnedCurators: ReadonlySet<string>): boolean =>
  pinned || (curator !== undefined && pinnedCurators.has(curator))

/**
 * The order of selection: pinned first, then priority, then the first date, newest first (L15, L21), then the id.
 *
 * With aging, a difference in age of `agingSeconds` equals one step of priority (X11): the sort key is priority × aging
 * − first date. It has no term for the present time, which would be equal for all: the order does not change with time.
 */
export const before = (
  one: Standing,
  other: Standing,
  pinnedCurators: ReadonlySet<string>,
  agingSeconds?: number,
): number => {
  const first = isPinned(one, pinnedCurators)
  if (first !== isPinned(other, pinnedCurators)) return first ? -1 : 1
  const difference =
    agingSeconds === undefined
      ? other.priority - one.priority || other.first - one.first
      : (other.priority - one.priority) * agingSeconds * 1000 + (one.first - other.first)
  return difference || (one.id < other.id ? -1 : Number(one.id > other.id))
}

/** Episodes, or clips, numbered from 0 in the order in which the log first named them. */
export class Standings {
  readonly all: Standing[] = []
  readonly #numbers = new Map<string, number>()

  find(id: string): number | undefined {
    return this.#numbers.get(id)
  }

  number(id: string): number {
    return this.#numbers.get(id) ?? this.add(new Standing(id))
  }

  at(number: number): Standing {
    return this.all[number]!
  }

  add(standing: Standing): number {
    const number = this.all.push(standing) - 1
    this.#numbers.set(standing.id, number)
    return number
  }
}
