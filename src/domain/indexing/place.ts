import * as t from 'io-ts'
import { NonNegativeInteger, Time } from '../kernel/codecs.ts'
import { addMillis, earlier } from '../kernel/time.ts'
import { Location } from './file.ts'

/** Where a file lies, and what it was there when it was last looked at. What a list does not say is absent. */
export const Place = t.intersection(
  [
    t.type({ location: Location }),
    t.partial({
      /** Bytes. */
      size: NonNegativeInteger,
      modifiedAt: Time,
      /** Who named it is a stranger to this machine: it leads to a public address, or to a host that the house allows. */
      foreign: t.boolean,
    }),
  ],
  'place',
)
export type Place = t.TypeOf<typeof Place>

/** How a place looks now, against what was known of it. What one of them does not say is no difference. */
export const compareLooks = (known: Place, seen: Place): 'same' | 'more' | 'changed' => {
  const pairs = [
    [known.size, seen.size],
    [known.modifiedAt, seen.modifiedAt],
  ] as const
  if (pairs.some(([before, now]) => before !== undefined && now !== undefined && before !== now))
    return 'changed'
  return pairs.some(([before, now]) => before === undefined && now !== undefined) ? 'more' : 'same'
}

/** When the file will have stood still for the time of grace. A clock that runs ahead delays nothing. */
export const stillAt = ({ modifiedAt }: Pick<Place, 'modifiedAt'>, at: string, graceMillis: number): string =>
  addMillis(earlier(modifiedAt ?? at, at), graceMillis)

/** On a server. */
export const isRemote = (location: string): boolean => /^https?:/.test(location)

/** The place alone, of an object that has more. */
export const placeOf = ({ location, size, modifiedAt, foreign }: Place): Place => ({
  location,
  ...(size !== undefined && { size }),
  ...(modifiedAt !== undefined && { modifiedAt }),
  ...(foreign && { foreign }),
})
