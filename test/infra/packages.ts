import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** What is said of a package in package-lock.json. */
export interface LockedPackage {
  readonly version?: string
  readonly license?: string
  /** In node_modules, of one of ours. */
  readonly link?: boolean
  /** Wanted by tests, lint and benches alone. */
  readonly dev?: boolean
  readonly optional?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

export type LockedPackages = Readonly<Record<string, LockedPackage>>

export const rootFile = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url))

/** By place: `''` is Fonds itself, `node_modules/a/node_modules/b` is b as a has it. */
export const lockedPackages = (): LockedPackages =>
  JSON.parse(readFileSync(rootFile('package-lock.json'), 'utf8')).packages

export const nameAt = (place: string): string => place.slice(place.lastIndexOf('node_modules/') + 13)

/** Place of a package that one at `place` wants, as Node looks for it: beside the one that wants it, then further out. */
export const wantedBy = (packages: LockedPackages, place: string, name: string): string | undefined => {
  const wanted = `${place === '' ? '' : `${place}/`}node_modules/${name}`
  if (Object.hasOwn(packages, wanted)) return wanted
  if (place === '') return undefined
  return wantedBy(packages, place.slice(0, Math.max(0, place.lastIndexOf('node_modules/') - 1)), name)
}

/** Places of the packages that Fonds runs on: without those of tests, and those that only build the page of a checkout. */
export const runsOn = (packages: LockedPackages): readonly string[] => {
  const found = new Set<string>()
  const add = (place: string): void => {
    const { dependencies, optionalDependencies } = packages[place] ?? {}
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const wanted = wantedBy(packages, place, name)
      if (wanted === undefined || found.has(wanted)) continue
      found.add(wanted)
      add(wanted)
    }
  }
  for (const place of Object.keys(packages)) if (/^(packages\/[^/]+)?$/.test(place)) add(place)
  return [...found].filter((place) => !packages[place]?.link)
}
