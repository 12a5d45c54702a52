import { createHash, createHmac } from 'node:crypto'
import { SignatureV4 } from '@smithy/signature-v4'
import { Agent } from 'undici'
import type { Versitygw } from '../infra/local/s3/versitygw.ts'
import { sideBySide } from '../src/async/side-by-side.ts'

/*
 * SHA-256 of objects, as little as it takes. As a process: `node bench/bare-bucket.ts PREFIX COUNT` digests the objects
 * `PREFIX/000000` and on of the bucket `objects`, 16 at a time.
 */

const region = 'us-east-1'

/** Returns the SHA-256 in hex. */
export type Digest = (key: string) => Promise<string>

/** A bare loop of undici, signature-v4 and node:crypto. */
export const bareDigest = ({ endpoint, keys }: Pick<Versitygw, 'endpoint' | 'keys'>): Digest => {
  class Sha256 {
    readonly #hash: ReturnType<typeof createHash> | ReturnType<typeof createHmac>
    constructor(secret?: string | Uint8Array) {
      this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret)
    }
    update(data: Uint8Array): void {
      this.#hash.update(data)
    }
    digest = async (): Promise<Uint8Array> => this.#hash.digest()
    reset(): void {}
  }
  const { host, hostname, port, origin } = new URL(endpoint)
  const signer = new SignatureV4({
    service: 's3',
    region,
    credentials: keys,
    sha256: Sha256 as never,
    uriEscapePath: false,
    applyChecksum: false,
  })
  const agent = new Agent({ connections: 32 })
  const nothing = createHash('sha256').digest('hex')
  return async (key) => {
    const path = `/objects/${key}`
    const headers = { host, 'x-amz-content-sha256': nothing, 'x-amz-checksum-mode': 'ENABLED' }
    const request = {
      method: 'GET',
      protocol: 'http:',
      hostname,
      port: Number(port),
      path,
      query: {},
      headers,
    }
    const signed = await signer.sign(request)
    const { body } = await agent.request({ origin, path, method: 'GET', headers: signed.headers })
    const hash = createHash('sha256')
    for await (const chunk of body) hash.update(chunk)
    return hash.digest('hex')
  }
}

if (import.meta.main) {
  const [prefix = '', count = '0'] = process.argv.slice(2)
  const { FONDS_S3_ENDPOINT = '', AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '' } = process.env
  const credentials = { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY }
  const digest = bareDigest({ endpoint: FONDS_S3_ENDPOINT, keys: credentials })
  const names = Array.from({ length: Number(count) }, (_, i) => String(i).padStart(6, '0'))
  const lines = await sideBySide(names, 16, async (name) => `${await digest(`${prefix}/${name}`)}  ${name}`)
  console.log(lines.join('\n'))
  // The connections stay open for a while.
  process.exitCode = 0
  process.stdout.write('', () => process.exit())
}
