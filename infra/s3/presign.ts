import type { Clock } from '../../src/ports/clock.ts'
import type { CredentialSource } from './credentials.ts'
import { escapePart, escapePath, findPlace } from './place.ts'
import type { S3Settings } from './settings.ts'
import { createSigner } from './sign.ts'

export interface PresignOptions {
  /** Bytes; a request with another Content-Length is refused. */
  readonly size: number
  readonly expiresSeconds: number
  /** Base64: the server refuses other bytes. */
  readonly sha256?: string | undefined
  readonly query?: Readonly<Record<string, string>>
  /** `http(s)://host[:port]` under which clients reach the server; absent: as we do. */
  readonly endpoint?: string | undefined
}

export interface Presigned {
  readonly url: string
  /** To be sent beside Content-Length. */
  readonly headers: Readonly<Record<string, string>>
}

export type Presign = (key: string, options: PresignOptions) => Promise<Presigned>

interface Parts {
  readonly bucket: string
  readonly settings: S3Settings
  readonly credentials: CredentialSource
  readonly clock: Pick<Clock, 'now'>
}

/** With passing credentials an address ends with them, whatever it says. */
export const createPresign = ({ bucket, settings, credentials, clock }: Parts): Presign => {
  const signer = createSigner(credentials)
  return async (key, { size, expiresSeconds, sha256, query = {}, endpoint }) => {
    const place = await findPlace(bucket, endpoint === undefined ? settings : { ...settings, endpoint })
    const headers = sha256 === undefined ? {} : { 'x-amz-checksum-sha256': sha256 }
    const path = `${place.base}/${escapePath(key)}`
    const signed = await signer.presign(
      {
        ...place,
        method: 'PUT',
        path,
        query,
        headers: {
          ...headers,
          host: place.port === undefined ? place.hostname : `${place.hostname}:${place.port}`,
          'content-length': String(size),
          'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
        },
      },
      place.region,
      Date.parse(clock.now()),
      expiresSeconds,
    )
    const pairs = Object.entries(signed).map(([name, value]) => `${escapePart(name)}=${escapePart(value)}`)
    return { url: `${place.origin}${path}?${pairs.join('&')}`, headers }
  }
}
