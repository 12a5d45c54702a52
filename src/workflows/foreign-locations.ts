import { resolve } from 'node:path'
import { isBeneath } from '../async/is-beneath.ts'
import { isBeneathBuckets, isBucketAddress } from '../domain/kernel/bucket-address.ts'
import type { RefusedLocation } from '../processors/runtime/foreign-location.ts'
import { pathOfAddress } from './path-of-address.ts'

/* Files that messages over HTTP may name, of this machine and in buckets: those beneath what its settings name. */

/**
 * Compares the address as written: a path with `..` or the like is beneath no folder. Links are followed when it is
 * opened.
 */
export const isAddressBeneath = (address: string, folders: readonly string[]): boolean => {
  const path = pathOfAddress(address)
  return path !== undefined && resolve(path) === path.replace(/(.)\/$/, '$1') && isBeneath(path, folders)
}

/**
 * `setting`: name of the setting with the folders, and with the buckets and prefixes, which are read with the rights of
 * this system. Addresses of web servers are checked when they are requested.
 */
export const locationsBeneath =
  (folders: readonly string[], setting: string, buckets: readonly string[] = []): RefusedLocation =>
  (location) => {
    if (location === undefined || /^https?:/.test(location)) return undefined
    const isBucket = isBucketAddress(location)
    if (isBucket ? isBeneathBuckets(location, buckets) : isAddressBeneath(location, folders)) return undefined
    return isBucket
      ? `${location} is in a bucket, which nobody names over HTTP unless ${setting} names it; name it there, or have it sent by a command of this machine`
      : `${location} is a file of this machine, which nobody names over HTTP unless ${setting} names its folder; name it there, or have it sent by a command of this machine`
  }
