import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto'
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
}

/** SHA-256, or its HMAC with a secret, by OpenSSL: the JavaScript one takes twenty times as long. */
class Sha256 {
  #hash: Hash | Hmac
  readonly #begin: () => Hash | Hmac

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#begin = () =>
      secret === undefined
        ? createHash('sha256')
        : createHmac('sha256', typeof secret === 'string' ? secret : bytesOf(secret))
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
}

const bytesOf = (source: ArrayBuffer | ArrayBufferView): Uint8Array =>
  ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source)

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
  }
}

/** The SHA-256 of no bytes, in hex. */
export const emptySha256 = createHash('sha256').digest('hex')
