import { createHash, createHmac, createSecretKey, type Hash, type Hmac, type KeyObject } from 'node:crypto'
import { SignatureV4 } from '@smithy/signature-v4'
import type { CredentialSource } from './credentials.ts'

/** A request before it is signed, as it goes over the wire. */
export interface UnsignedRequest {
  readonly method: string
  readonly protocol: string
  readonly hostname: string
  /** Absent: the protocol's own. */
  readonly port?: number
  /** Escaped. */
  readonly path: string
  /** Not escaped. */
  readonly query: Readonly<Record<string, string>>
  /** Names in lower case; `host` and `x-amz-content-sha256` among them. */
  readonly headers: Readonly<Record<string, string>>
}

export interface Signer {
  /** Returns the headers, signed for `region` as of `time` (epoch milliseconds). */
  sign(request: UnsignedRequest, region: string, time: number): Promise<Record<string, string>>
  /** Returns the query under which anybody may make the request, with all of its headers, for `seconds` from `time` on. */
  presign(
    request: UnsignedRequest,
    region: string,
    time: number,
    seconds: number,
  ): Promise<Record<string, string>>
}

/** SHA-256, or its HMAC with a secret, by OpenSSL. */
class Sha256 {
  readonly #secret: KeyObject | undefined
  #hash: Hash | Hmac

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#secret = secret === undefined ? undefined : keyOf(secret)
    this.#hash = this.#begin()
  }
  update(data: Uint8Array): void {
    this.#hash.update(data)
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest()
  }
  reset(): void {
    this.#hash = this.#begin()
  }
  #begin(): Hash | Hmac {
    return this.#secret === undefined ? createHash('sha256') : createHmac('sha256', this.#secret)
  }
}

const keys = new WeakMap<object, KeyObject>()
let ofText: { readonly secret: string; readonly key: KeyObject } | undefined

/**
 * The signer asks for the HMAC of the same secret, and of the same key of a day, at each request: an HMAC with their bytes
 * takes seven times as long as with a key made of them.
 */
const keyOf = (secret: string | ArrayBuffer | ArrayBufferView): KeyObject => {
  if (typeof secret === 'string') {
    if (ofText?.secret !== secret) ofText = { secret, key: createSecretKey(secret, 'utf8') }
    return ofText.key
  }
  const known = keys.get(secret)
  if (known) return known
  const bytes = ArrayBuffer.isView(secret)
    ? new Uint8Array(secret.buffer, secret.byteOffset, secret.byteLength)
    : new Uint8Array(secret)
  const key = createSecretKey(bytes)
  keys.set(secret, key)
  return key
}

/** Signs by AWS Signature Version 4. S3 takes paths as they are escaped once. */
export const createSigner = (credentials: CredentialSource): Signer => {
  const signature = new SignatureV4({
    service: 's3',
    region: 'us-east-1',
    credentials: () => credentials.get(),
    sha256: Sha256,
    uriEscapePath: false,
    applyChecksum: false,
  })
  return {
    sign: async (request, signingRegion, time) => {
      const signed = await signature.sign(
        { ...request, query: { ...request.query }, headers: { ...request.headers } },
        { signingRegion, signingDate: new Date(time) },
      )
      return signed.headers
    },
    presign: async (request, signingRegion, time, expiresIn) => {
      const { query } = await signature.presign(
        { ...request, query: { ...request.query }, headers: { ...request.headers } },
        {
          ...{ signingRegion, signingDate: new Date(time), expiresIn },
          // Some servers do not read them of the query.
          unhoistableHeaders: new Set(Object.keys(request.headers).filter((name) => name !== hashHeader)),
        },
      )
      return query as Record<string, string>
    },
  }
}

const hashHeader = 'x-amz-content-sha256'

/** The SHA-256 of no bytes, in hex. */
export const emptySha256 = createHash('sha256').digest('hex')
