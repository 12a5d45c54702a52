import { resolve } from 'node:path'
import { isBeneath } from '../async/is-beneath.ts'
import type { RefusedLocation } from '../processors/runtime/foreign-location.ts'
import { pathOfAddress } from './path-of-address.ts'

/* Files of this machine that messages over HTTP may name: those beneath folders that its settings name. */

/**
 * Compares the address as written: a path with `..` or the like is beneath no folder. Links are followed when it is
 * opened.
 */
export const isAddressBeneath = (address: string, folders: readonly string[]): boolean => {
  const path = pathOfAddress(address)
  return path !== undefined && resolve(path) === path.replace(/(.)\/$/, '$1') && isBeneath(path, folders)
}

/** `setting`: name of the setting with the folders. Addresses of servers are checked when they are requested. */
export const locationsBeneath =
  (folders: readonly string[], setting: string): RefusedLocation =>
  (location) =>
    location === undefined || /^https?:/.test(location) || isAddressBeneath(location, folders)
      ? undefined
      : `${location} is a file of this machine, which nobody names over HTTP unless ${setting} names its folder; name it there, or have it sent by a command of this machine`
