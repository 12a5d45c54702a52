import * as t from 'io-ts'
import { isBucketAddress } from '../kernel/bucket-address.ts'
import { NonNegativeInteger, Time } from '../kernel/codecs.ts'
import { addMillis, earlier } from '../kernel/time.ts'
import { Location } from './file.ts'

/** Location of a file, with its size and date when it was last observed. Fields that a list lacks are absent. */
export const Place = t.intersection(
  [
    t.type({ location: Location }),
    t.partial({
      /** Bytes. */
      size: NonNegativeInteger,
      modifiedAt: Time,
      /**
       * Named by a party outside this machine: it must lead to a public address, or to a host that the system allows.
       */
      foreign: t.boolean,
    }),
  ],
  'place',
)
export type Place = t.TypeOf<typeof Place>

/** Compares an observation of a place with the known one. A field that either of them lacks is no difference. */
export const comparePlaces = (known: Place, seen: Place): 'same' | 'more' | 'changed' => {
  const pairs = [
    [known.size, seen.size],
    [known.modifiedAt, seen.modifiedAt],
  ] as const
  if (pairs.some(([before, now]) => before !== undefined && now !== undefined && before !== now))
    return 'changed'
  return pairs.some(([before, now]) => before === undefined && now !== undefined) ? 'more' : 'same'
}

/**
 * Returns the time from which the file counts as whole: once it has been unchanged for the grace period. An object in a
 * bucket is at once, as storage shows none before all of it is there.
 */
export const stillAt = (
  { location, modifiedAt }: Pick<Place, 'location' | 'modifiedAt'>,
  at: string,
  graceMillis: number,
): string => (isBucketAddress(location) ? at : quietAt(modifiedAt, at, graceMillis))

/**
 * Returns the time at which something that changes will have been unchanged for the grace period. A clock that runs
 * ahead delays nothing.
 */
export const quietAt = (modifiedAt: string | undefined, at: string, graceMillis: number): string =>
  addMillis(earlier(modifiedAt ?? at, at), graceMillis)

/** True for a location on a server. */
export const isRemote = (location: string): boolean => /^(https?|s3):/.test(location)

/** Picks the fields of a place from an object that has more. */
export const placeOf = ({ location, size, modifiedAt, foreign }: Place): Place => ({
  location,
  ...(size !== undefined && { size }),
  ...(modifiedAt !== undefined && { modifiedAt }),
  ...(foreign && { foreign }),
})
