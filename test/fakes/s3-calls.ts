import { createHash, createHmac } from 'node:crypto'
import { SignatureV4 } from '@smithy/signature-v4'
import { type Dispatcher, Pool } from 'undici'

/* Bare requests of S3, signed, for tests that look at the server and not at our client. */

export interface S3Call {
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string
  /** Default: true. */
  readonly isSigned?: boolean
}

export interface S3Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

export interface S3Calls {
  /** `path`: `/bucket` or `/bucket/key`, not escaped. */
  call(method: string, path: string, call?: S3Call): Promise<S3Reply>
  /** An address that anybody may GET for a minute. */
  presigned(path: string): Promise<string>
  close(): Promise<void>
}

export interface S3Keys {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export const testKeys: S3Keys = { accessKeyId: 'fonds-test', secretAccessKey: 'fonds-test-secret' }

export const s3Calls = (endpoint: string, credentials: S3Keys = testKeys): S3Calls => {
  const { hostname, port, host } = new URL(endpoint)
  const signer = new SignatureV4({
    service: 's3',
    region: 'us-east-1',
    credentials,
    sha256: Sha256,
    uriEscapePath: false,
    applyChecksum: false,
  })
  const pool = new Pool(endpoint)
  const target = { protocol: 'http:', hostname, port: Number(port) }
  return {
    call: async (method, path, { query = {}, headers = {}, body = '', isSigned = true } = {}) => {
      const hash = createHash('sha256').update(body).digest('hex')
      const unsigned = {
        ...target,
        method,
        path: escapedPath(path),
        query,
        headers: { host, 'x-amz-content-sha256': hash, ...headers },
      }
      const { headers: sent } = isSigned ? await signer.sign(unsigned) : unsigned
      const response = await pool.request({
        // As it is: of an address undici would make `a/./b` to `a/b`.
        path: `${unsigned.path}${searchOf(query)}`,
        method: method as Dispatcher.HttpMethod,
        headers: sent,
        ...(method === 'GET' || method === 'HEAD' ? {} : { body: Buffer.from(body) }),
      })
      const received = Buffer.from(await response.body.arrayBuffer())
      return { status: response.statusCode, headers: response.headers, body: received }
    },
    presigned: async (object) => {
      const path = escapedPath(object)
      const plain = {
        ...target,
        method: 'GET',
        path,
        query: {},
        headers: { host, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' },
      }
      const { query = {} } = await signer.presign(plain, { expiresIn: 60 })
      return `${endpoint}${path}${searchOf(query as Record<string, string>)}`
    },
    close: () => pool.close(),
  }
}

const escapedPath = (path: string): string =>
  path
    .split('/')
    .map((segment) => escaped(segment))
    .join('/')

const escaped = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`,
  )

const searchOf = (query: Readonly<Record<string, string>>): string => {
  const pairs = Object.entries(query).map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** The digest that the signer asks for; with a secret it is an HMAC. */
class Sha256 {
  readonly #hash

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret as Uint8Array)
  }

  update(bytes: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(bytes as Uint8Array)
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest()
  }

  reset(): void {}
}
