import * as t from 'io-ts'
import { NonNegativeInteger } from '../../kernel/codecs.ts'

/* Differences between an object in storage and in the log. */

export const DifferenceKind = t.keyof({
  /** Storage holds an object of which the log knows no version. */
  'object-without-event': null,
  'version-without-event': null,
  'file-without-event': null,
  /** The log knows versions of an object that storage does not hold at all. */
  'event-without-object': null,
  'event-without-version': null,
  /** A copy of the object was set aside, and its event was not written. */
  'copy-without-event': null,
  /** Both have the version, with different inventories. */
  'other-inventory': null,
  /** Storage holds something at its place that is no valid object. */
  unreadable: null,
})
export type DifferenceKind = t.TypeOf<typeof DifferenceKind>

export const Difference = t.type(
  {
    what: DifferenceKind,
    /** 0: applies to the object as a whole. */
    version: NonNegativeInteger,
    /** For a file: its path from the object's folder. For a copy: the name of its folder. Else empty. */
    file: t.string,
  },
  'difference',
)
export type Difference = t.TypeOf<typeof Difference>

interface Held {
  readonly versions: readonly { readonly version: number; readonly inventoryDigest: string | undefined }[]
  readonly strays: readonly string[]
}

export interface KnownVersion {
  readonly version: number
  readonly inventoryDigest: string
}

/** Limit per object: an object with more is no less wrong. */
export const maxDifferences = 100

/**
 * Returns the differences in a fixed order, up to `maxDifferences`. `held` undefined: storage has no such object.
 * Empty: both agree.
 */
export const differences = (
  held: Held | undefined,
  known: readonly KnownVersion[],
): readonly Difference[] => {
  const of = (what: DifferenceKind, version = 0, file = ''): Difference => ({ what, version, file })
  if (!held) return known.length > 0 ? [of('event-without-object')] : []
  const digests = new Map(known.map(({ version, inventoryDigest }) => [version, inventoryDigest]))
  const there = new Set(held.versions.map(({ version }) => version))
  const unknown = held.versions.filter(({ version }) => !digests.has(version))
  return [
    ...(known.length === 0
      ? [of('object-without-event')]
      : unknown.map(({ version }) => of('version-without-event', version))),
    ...known
      .filter(({ version }) => !there.has(version))
      .map(({ version }) => of('event-without-version', version)),
    ...held.versions
      .filter(({ version, inventoryDigest }) => isOther(digests.get(version), inventoryDigest))
      .map(({ version }) => of('other-inventory', version)),
    ...held.strays.map((file) => of('file-without-event', 0, file)),
  ].slice(0, maxDifferences)
}

/** Compares the last version in storage with the last in the log; undefined: there is none. */
export const compareHeads = (
  held: KnownVersion | undefined,
  known: KnownVersion | undefined,
): 'same' | 'behind' | 'ahead' | 'other' => {
  const more = (held?.version ?? 0) - (known?.version ?? 0)
  if (more !== 0) return more < 0 ? 'behind' : 'ahead'
  return held?.inventoryDigest === known?.inventoryDigest ? 'same' : 'other'
}

/** A version without an inventory of its own cannot differ. */
const isOther = (known: string | undefined, held: string | undefined): boolean =>
  known !== undefined && held !== undefined && known !== held

/** Returns a sentence for people. */
export const describeDifference = (object: string, { what, version, file }: Difference): string => {
  switch (what) {
    case 'object-without-event':
      return `storage holds ${object}, and the log knows no version of it`
    case 'version-without-event':
      return `storage holds version ${version} of ${object}, and the log does not know it`
    case 'file-without-event':
      return `${file} lies in the folder of ${object}, and no version has it`
    case 'event-without-object':
      return `the log knows versions of ${object}, and storage does not hold it`
    case 'event-without-version':
      return `the log knows version ${version} of ${object}, and storage does not hold it`
    case 'copy-without-event':
      return `a copy of ${object} was set aside as ${file}, and no event says so`
    case 'unreadable':
      return `what storage holds of ${object} cannot be read as an object`
    case 'other-inventory':
      return `version ${version} of ${object} is another one in storage than the log says: their inventories differ`
  }
}

export const unreadable: readonly Difference[] = [{ what: 'unreadable', version: 0, file: '' }]

/** Returns the differences that are left after versions were adopted, or set aside. */
export const withoutUnknown = <One extends Difference>(all: readonly One[]): readonly One[] =>
  all.filter(({ what }) => !unknownKinds.includes(what))

const unknownKinds: readonly DifferenceKind[] = [
  'object-without-event',
  'version-without-event',
  'copy-without-event',
]

/**
 * Returns the copies that were set aside and that the log does not know, compared by name, from any path of the root.
 */
export const untold = <Copy extends { readonly folder: string }>(
  copies: readonly Copy[],
  known: readonly string[],
): readonly Copy[] => copies.filter(({ folder }) => !known.includes(nameOfFolder(folder)))

export const nameOfFolder = (folder: string): string => folder.split('/').at(-1) ?? folder

export const copiesUntold = (
  copies: readonly { readonly folder: string }[],
  known: readonly string[],
): readonly Difference[] =>
  untold(copies, known).map(({ folder }) => ({
    what: 'copy-without-event',
    version: 0,
    file: nameOfFolder(folder),
  }))

export const isSame = (one: Difference, other: Difference): boolean =>
  one.what === other.what && one.version === other.version && one.file === other.file

export const areSame = (some: readonly Difference[], others: readonly Difference[]): boolean =>
  some.length === others.length && some.every((one, i) => isSame(one, others[i]!))

/** The log's record of an object. */
export interface KnownObject {
  readonly versions: readonly (KnownVersion & {
    /** The job that stored it; undefined if it was adopted. */
    readonly job: number | undefined
  })[]
  /** Names of the folders in which copies were set aside. */
  readonly setAside: readonly string[]
  /** Differences from storage as last found. */
  readonly differences: readonly Difference[]
  /** A job is storing it: additional files in storage may be recorded soon. */
  readonly isBeingStored: boolean
}
