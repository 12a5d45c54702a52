import type { Condition, Row, ViewStore } from '../../ports/view-store.ts'
import { expectedStates, type Part, parts } from './item-states.ts'

/** Every expected item is in exactly one part, so that they add up to `expected`. */
export type Counts = { readonly [Name in Part | 'expected']: number }

export interface Section {
  readonly counts: Counts
  readonly bytes: number
}

export interface FixityReport {
  /** ISO 8601 UTC: what "late" was measured against. */
  readonly at: string
  readonly stores: readonly (Section & {
    readonly store: string
    readonly root?: string
    /** What lies directly below the asked-for prefix: folders with a slash at the end, and `.` for single files. */
    readonly prefixes: readonly (Section & { readonly prefix: string })[]
  })[]
  /** Open ones, oldest first. */
  readonly resolutions: readonly {
    readonly store: string
    readonly path: string
    readonly resolution: string
    readonly class: string
    readonly row: string
    readonly summary: string
    readonly openedAt: string
  }[]
  /** The items that are failed or parked now. */
  readonly failures: readonly {
    readonly store: string
    readonly path: string
    readonly state: string
    readonly row: string | null
    readonly because: string | null
    readonly lastChecked: string | null
    readonly lastVerified: string | null
  }[]
}

export interface ReportScope {
  readonly store?: string
  readonly prefix?: string
}

/** Most resolutions, and most failures of a kind, that a report lists; the counts count them all. */
export const mostListed = 1000

/** Counts from the items view; the store counts, here only folders are added up. */
export const fixityReport = (viewStore: ViewStore, at: string, scope: ReportScope = {}): FixityReport => {
  const within: Condition[] = [
    ...(scope.store ? [{ column: 'store', is: '=', value: scope.store } as const] : []),
    ...(scope.prefix ? [{ column: 'path', is: 'prefix', value: scope.prefix } as const] : []),
  ]
  const expected: Condition[] = [
    ...within,
    { column: 'removed', is: '=', value: 0 },
    { column: 'state', is: 'in', value: expectedStates },
  ]
  const sections = new Map<string, Map<string, Mutable>>()
  const base = (scope.prefix ?? '').slice(0, (scope.prefix ?? '').lastIndexOf('/') + 1)
  const sectionOf = (row: Row): Mutable => {
    const store = row.store as string
    const prefixes = sections.get(store) ?? new Map<string, Mutable>()
    sections.set(store, prefixes)
    const prefix = below(base, row.folder as string)
    const section = prefixes.get(prefix) ?? empty()
    prefixes.set(prefix, section)
    return section
  }

  for (const row of viewStore.tally('fixity-items', {
    by: ['store', 'folder', 'state'],
    sum: ['size'],
    where: expected,
  })) {
    const section = sectionOf(row)
    const count = row.count as number
    section.counts.expected += count
    section.counts[row.state as Part] += count
    section.bytes += (row.size as number | null) ?? 0
  }
  const overdue: Condition[] = [
    ...expected,
    { column: 'state', is: '=', value: 'verified' },
    { column: 'lateAfter', is: '<', value: at },
  ]
  for (const row of viewStore.tally('fixity-items', { by: ['store', 'folder'], where: overdue })) {
    const section = sectionOf(row)
    // Another process may have folded on between the two questions: the sum holds all the same.
    const late = Math.min(row.count as number, section.counts.verified)
    section.counts.late += late
    section.counts.verified -= late
  }

  const known = viewStore.query('fixity-stores', {
    where: scope.store ? [{ column: 'store', is: '=', value: scope.store }] : [],
  })
  const roots = new Map(known.map((row) => [row.store as string, row.root as string | null]))
  const names = [...new Set([...roots.keys(), ...sections.keys()])].sort()
  return {
    at,
    stores: names.map((store) => {
      const prefixes = [...(sections.get(store) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1))
      const root = roots.get(store)
      return {
        store,
        ...(root && { root }),
        ...total(prefixes.map(([, section]) => section)),
        prefixes: prefixes.map(([prefix, section]) => ({ prefix, ...section })),
      }
    }),
    resolutions: openResolutions(viewStore, within),
    failures: [
      ...failing(viewStore, [...expected, { column: 'state', is: '=', value: 'failed' }]),
      ...failing(viewStore, [...expected, { column: 'state', is: '=', value: 'parked' }]),
    ],
  }
}

interface Mutable {
  counts: { -readonly [Name in keyof Counts]: number }
  bytes: number
}

const empty = (): Mutable => ({
  counts: Object.fromEntries(['expected', ...parts].map((name) => [name, 0])) as Mutable['counts'],
  bytes: 0,
})

const total = (sections: readonly Section[]): Section => {
  const sum = empty()
  for (const section of sections) {
    sum.bytes += section.bytes
    for (const name of Object.keys(sum.counts) as (keyof Counts)[]) sum.counts[name] += section.counts[name]
  }
  return sum
}

/** The first step from `base` down to `folder`, from the store's root: `letters/`; `.` for files directly in `base`. */
const below = (base: string, folder: string): string => {
  const inside = `${folder}/`.slice(base.length)
  const slash = inside.indexOf('/')
  return slash <= 0 ? '.' : base + inside.slice(0, slash + 1)
}

const openResolutions = (viewStore: ViewStore, within: readonly Condition[]): FixityReport['resolutions'] =>
  viewStore
    .query('fixity-resolutions', {
      where: [...within, { column: 'status', is: '=', value: 'open' }],
      orderBy: [{ column: 'openedAt' }],
      limit: mostListed,
    })
    .map((row) => ({
      store: row.store as string,
      path: row.path as string,
      resolution: row.resolution as string,
      class: row.class as string,
      row: row.row as string,
      summary: row.summary as string,
      openedAt: row.openedAt as string,
    }))

const failing = (viewStore: ViewStore, where: readonly Condition[]): FixityReport['failures'] =>
  viewStore
    .query('fixity-items', { where, orderBy: [{ column: 'store' }, { column: 'path' }], limit: mostListed })
    .map((row) => ({
      store: row.store as string,
      path: row.path as string,
      state: row.state as string,
      row: row.row as string | null,
      because: row.because as string | null,
      lastChecked: row.lastChecked as string | null,
      lastVerified: row.lastVerified as string | null,
    }))
