import { sideBySide } from '../../../async/side-by-side.ts'
import { ObjectId } from '../../../domain/ingest/ids.ts'
import { objects as objectRows } from '../../../domain/ingest/views.ts'
import { rowsIfFolded } from '../../../domain/kernel/read-views.ts'
import type { ViewStore } from '../../../ports/view-store.ts'
import { answeredBy } from './answered-by.ts'
import { type Compared, compareObject, type StorageToCompare } from './compare-object.ts'

export interface PagesToCompare extends StorageToCompare {
  readonly viewStore: Pick<ViewStore, 'query'>
}

export interface ComparedPage {
  readonly compared: readonly Compared[]
  /** Locations that look like an object, but do not name it. */
  readonly nameless: readonly string[]
  /** The next page begins after this place or object; undefined: this was the last. */
  readonly next: string | undefined
}

/** Objects compared at once: storage waits for its disk, the log for its own. */
const sideways = 4

/** Compares the objects in storage, in its own order. Throws `UnavailableError`. */
export const compareHeld = async (
  after: string,
  limit: number,
  from: PagesToCompare,
): Promise<ComparedPage> => {
  const listed = answeredBy(await from.objects.list(after, limit)())
  const named = listed.flatMap(({ object }) => (ObjectId.is(object) ? [object] : []))
  const nameless = listed.filter(({ object }) => !ObjectId.is(object)).map(({ place }) => place)
  const compared = await compareEach(named, from)
  return { compared, nameless, next: listed.length < limit ? undefined : listed.at(-1)?.place }
}

/**
 * Compares the objects in the log, sorted by name: this finds those missing from storage. Throws `UnavailableError`.
 */
export const compareKnown = async (
  after: string,
  limit: number,
  from: PagesToCompare,
): Promise<ComparedPage> => {
  const known = rowsIfFolded(from.viewStore, objectRows, {
    where: [{ column: 'object', is: '>', value: after }],
    orderBy: [{ column: 'object' }],
    limit,
  })
  const stored = known.filter(({ version }) => version > 0).map(({ object }) => object)
  const compared = await compareEach(stored, from)
  return { compared, nameless: [], next: known.length < limit ? undefined : known.at(-1)?.object }
}

/**
 * Compares objects with copies set aside, sorted by name: they may be missing from storage and log. Throws
 * `UnavailableError`.
 */
export const compareAside = async (
  after: string,
  limit: number,
  from: PagesToCompare,
): Promise<ComparedPage> => {
  const copies = answeredBy(await from.objects.aside()())
  const names = [...new Set(copies.map(({ object }) => object))].filter((object) => object > after).sort()
  const some = names.slice(0, limit)
  const compared = await compareEach(some.filter(ObjectId.is), from)
  return { compared, nameless: [], next: names.length > limit ? some.at(-1) : undefined }
}

/** Run one after the other, and from the beginning again. */
export const comparisons = [compareHeld, compareKnown, compareAside] as const

const compareEach = async (names: readonly string[], from: PagesToCompare): Promise<readonly Compared[]> =>
  (await sideBySide(names, sideways, (object) => compareObject(object, from))).flatMap((one) => one ?? [])
