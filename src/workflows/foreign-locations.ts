import { resolve } from 'node:path'
import { isBeneath } from '../async/is-beneath.ts'
import type { RefusedLocation } from '../processors/runtime/foreign-location.ts'
import { pathOfAddress } from './path-of-address.ts'

/* What messages over HTTP may name of this machine: what lies beneath folders that its settings name. */

/** As it is written: a path with `..` or the like is beneath none. Links are followed by whoever opens it. */
export const isAddressBeneath = (address: string, folders: readonly string[]): boolean => {
  const path = pathOfAddress(address)
  return path !== undefined && resolve(path) === path.replace(/(.)\/$/, '$1') && isBeneath(path, folders)
}

/** `setting`: the one that names the folders. Servers are looked at when they are asked. */
export const locationsBeneath =
  (folders: readonly string[], setting: string): RefusedLocation =>
  (location) =>
    location === undefined || /^https?:/.test(location) || isAddressBeneath(location, folders)
      ? undefined
      : `${location} is a file of this machine, which nobody names over HTTP unless ${setting} names its folder; name it there, or have it sent by a command of this machine`
