import type { EmbargoWord } from '../kernel/embargo.ts'
import type { DossierEvent } from './events.ts'
import type { RuleName } from './rules.ts'

export interface VersionState {
  readonly inventoryDigest: string
  readonly isLast: boolean
  /** Rules that have handed it over. */
  readonly handedOver: readonly RuleName[]
  /** The last reason why a rule could not hand it over. */
  readonly failure?: { readonly rule: RuleName; readonly reason: string }
  readonly isVerified: boolean
  /** Archive files that are listed, and under which embargo they were handed to indexing. */
  readonly archives: number
  readonly embargoUntil?: EmbargoWord
  /** Files that were handed over to fixity; `shared` are those at the top of the object. */
  readonly parts: number
  readonly shared: number
}

export interface DossierState {
  /** Versions that storage holds, as far as the chain was told. */
  readonly versions: ReadonlyMap<number, VersionState>
  /** Files that are not well, as `<store>/<path>`; at most `maxFailing`. */
  readonly failing: ReadonlySet<string>
  /**
   * The last withdrawal: versions that it takes out, how many files of the object fixity had before, and rules that have sent
   * their messages about it.
   */
  readonly withdrawing?: {
    readonly keep: number
    readonly from: readonly number[]
    readonly parts: number
    readonly done: readonly RuleName[]
  }
  readonly isClosed: boolean
}

/** An object with more is no less at risk: the views have all. The size of a state, and of its stream, stays bounded. */
export const maxFailing = 1000

export const initial: DossierState = { versions: new Map(), failing: new Set(), isClosed: false }

export const partId = ({ store, path }: { readonly store: string; readonly path: string }): string =>
  `${store}/${path}`

/** No path in a store begins so: a file may be unwell to two workflows. */
export const archiveId = ({ store, name }: { readonly store: string; readonly name: string }): string =>
  `indexing:${store}/${name}`

export const evolve = (state: DossierState, { type, data }: DossierEvent): DossierState => {
  switch (type) {
    case 'ObjectStored': {
      const { version, inventoryDigest, isLast } = data
      const stored: VersionState = {
        inventoryDigest,
        isLast,
        handedOver: [],
        isVerified: false,
        archives: 0,
        parts: 0,
        shared: 0,
      }
      return { ...state, versions: new Map(state.versions).set(version, stored), isClosed: false }
    }
    case 'ContentHandedOver':
      return changed(state, data.version, ({ failure: _, ...version }) => ({
        ...version,
        handedOver: [...version.handedOver, data.rule],
        ...(data.rule === 'fixity' && { parts: data.parts, shared: data.shared }),
        ...(data.embargoUntil !== undefined && { embargoUntil: data.embargoUntil }),
      }))
    case 'ArchivesListed':
      return changed(state, data.version, (version) => ({
        ...version,
        archives: version.archives + data.files.length,
      }))
    case 'ArchiveFailed':
      return { ...state, failing: new Set(state.failing).add(archiveId(data)) }
    case 'ArchiveIndexed':
      return state.failing.has(archiveId(data))
        ? { ...state, failing: without(state.failing, archiveId(data)) }
        : state
    case 'HandOverFailed': {
      const { rule, reason } = data
      return changed(state, data.version, (version) => ({ ...version, failure: { rule, reason } }))
    }
    case 'PartsVerified':
      return changed(state, data.version, (version) => ({ ...version, isVerified: true }))
    case 'PartFailed':
      return { ...state, failing: new Set(state.failing).add(partId(data)) }
    case 'PartCleared':
      return { ...state, failing: without(state.failing, partId(data)) }
    case 'VersionsWithdrawn': {
      const { keep } = data
      const from = [...state.versions.keys()].filter((version) => version > keep)
      const versions = new Map([...state.versions].filter(([version]) => version <= keep))
      return { ...state, versions, withdrawing: { keep, from, parts: partsIn(state), done: [] } }
    }
    case 'ContentWithdrawn': {
      const { withdrawing } = state
      return withdrawing?.keep === data.keep
        ? { ...state, withdrawing: { ...withdrawing, done: [...withdrawing.done, data.rule] } }
        : state
    }
    case 'DossierClosed':
      return { ...state, failing: new Set(), isClosed: true }
  }
}

const changed = (
  state: DossierState,
  version: number,
  change: (version: VersionState) => VersionState,
): DossierState => {
  const known = state.versions.get(version)
  return known ? { ...state, versions: new Map(state.versions).set(version, change(known)) } : state
}

/** Those at the top of the object count once, however many versions had them. */
const partsIn = ({ versions }: DossierState): number => {
  const all = [...versions.values()]
  return all.reduce((sum, { parts }) => sum + parts, 0) + Math.max(0, ...all.map(({ shared }) => shared))
}

const without = (all: ReadonlySet<string>, one: string): ReadonlySet<string> => {
  const left = new Set(all)
  left.delete(one)
  return left
}

/** The embargo of the last version that indexing has; undefined: none of them. */
export const embargoIn = ({
  versions,
}: DossierState): { readonly version: number; readonly until: EmbargoWord } | undefined =>
  [...versions]
    .flatMap(([version, { embargoUntil: until }]) => (until === undefined ? [] : [{ version, until }]))
    .toSorted((one, other) => other.version - one.version)[0]

/** The last version that storage holds; 0: none. */
export const lastOf = ({ versions }: Pick<DossierState, 'versions'>): number =>
  Math.max(0, ...versions.keys())
