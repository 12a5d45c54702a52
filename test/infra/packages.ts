import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** What is said of a package in package-lock.json. */
export interface LockedPackage {
  readonly version?: string
  readonly license?: string
  readonly dev?: boolean
  /** In node_modules, of one of ours in `packages/`. */
  readonly link?: boolean
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
