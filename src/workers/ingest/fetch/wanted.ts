import type { DigestAlgorithm } from '@fonds/digests'

export interface Wanted {
  /** `file:`, `http:`, `https:` or `s3:`. */
  readonly url: string
  /** Bytes, as the depositor announced. */
  readonly size?: number | undefined
  readonly digest?: { readonly algorithm: DigestAlgorithm; readonly value: string } | undefined
  /** Limit of bytes, whatever the server sends. */
  readonly maxBytes?: number
}

export interface Fetched {
  /** Bytes. */
  readonly size: number
  readonly sha256: string
}

/** The content arrived, but differs from the depositor's announcement (ingest X12). */
export class WrongContent extends Error {
  override readonly name = 'WrongContent'
}

/** Throws `WrongContent`. */
export const failUnlessSame = (
  { url, size, digest }: Wanted,
  found: number,
  digests: ReadonlyMap<DigestAlgorithm, string>,
): void => {
  if (size !== undefined && found !== size)
    throw new WrongContent(`${url} has ${found} bytes; ${size} were announced`)
  if (!digest) return
  const is = digests.get(digest.algorithm)
  if (is !== digest.value.toLowerCase())
    throw new WrongContent(`${url} has the ${digest.algorithm} digest ${is}; ${digest.value} was announced`)
}
