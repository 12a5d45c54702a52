import { isLeft } from 'fp-ts/lib/Either.js'
import { ProfileName } from '../../../domain/ingest/ids.ts'
import { bucketAddress, bucketPlaceIn } from '../../../domain/kernel/bucket-address.ts'

/** A prefix in a bucket where depositors put what is to be taken in. */
export interface DropPlace {
  readonly profile: string
  /** `s3://bucket/prefix`, without a slash at its end. */
  readonly address: string
}

/** Parses `default=s3://bucket/prefix,maps=s3://bucket/maps`. Undefined if one is invalid. */
export const parseDropPlaces = (text: string): readonly DropPlace[] | undefined => {
  const places: DropPlace[] = []
  for (const one of text.split(',').map((part) => part.trim())) {
    if (one === '') continue
    const equals = one.indexOf('=')
    const [profile, place] = [one.slice(0, equals), bucketPlaceIn(one.slice(equals + 1))]
    if (equals < 1 || isLeft(ProfileName.decode(profile)) || isLeft(place)) return undefined
    places.push({ profile, address: bucketAddress(place.right) })
  }
  // Below two of them a file would be taken in twice.
  const nested = places.some((one) =>
    places.some((other) => one !== other && isWithin(one.address, other.address)),
  )
  return nested ? undefined : places
}

/** True for the same place, and for one below the other. */
export const isWithin = (address: string, other: string): boolean =>
  `${address}/`.startsWith(`${other.replace(/\/+$/, '')}/`)

/** Prefixes that the setting names. */
export const dropAddresses = (drops: string | undefined): readonly string[] =>
  (parseDropPlaces(drops ?? '') ?? []).map(({ address }) => address)
