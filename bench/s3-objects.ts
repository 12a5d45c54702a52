import { createHash, createHmac, randomBytes } from 'node:crypto'
import { SignatureV4 } from '@smithy/signature-v4'
import { Agent } from 'undici'
import openContent from '../infra/content/open-content.ts'
import { startVersitygw, type Versitygw } from '../infra/local/s3/versitygw.ts'
import { openBucket } from '../infra/s3/bucket.ts'
import { sideBySide } from '../src/async/side-by-side.ts'
import { expectSame, interleaved, median, printTable, rate } from './table.ts'

/*
 * Objects of a bucket to SHA-256: the content store beside a bare loop of undici, signature-v4 and node:crypto, both
 * with 16 requests at a time in one thread, on a versitygw of this machine, in one run.
 * `node bench/s3-objects.ts [objects of 4 KiB, default 20,000] [objects of 32 MiB, default 16] [rounds, default 3]`
 */

const [small = 20_000, large = 16, rounds = 3] = process.argv.slice(2).map(Number)
const width = 16
const region = 'us-east-1'

type Digest = (key: string) => Promise<string>

const bare = (server: Versitygw): Digest => {
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
  const { host, hostname, port, origin } = new URL(server.endpoint)
  const signer = new SignatureV4({
    service: 's3',
    region,
    credentials: server.keys,
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

const ours = (server: Versitygw): Digest => {
  const store = openContent('s3://objects', { s3: { endpoint: server.endpoint, region } })
  return async (key) => {
    const hash = createHash('sha256')
    const read = await store.read(key, { onEntry: () => {} }, (chunk) => void hash.update(chunk))()
    if (read._tag === 'Left') throw new Error(`${key}: ${JSON.stringify(read.left)}`)
    return hash.digest('hex')
  }
}

const digestsOf = async (keys: readonly string[], digest: Digest): Promise<string> => {
  const digests = new Map<string, string>()
  await sideBySide(keys, width, async (key) => void digests.set(key, await digest(key)))
  return keys.map((key) => digests.get(key)).join()
}

const put = async (server: Versitygw, folder: string, count: number, bytes: number) => {
  const bucket = openBucket('objects', { endpoint: server.endpoint, region })
  const keys = Array.from({ length: count }, (_, i) => `${folder}/${String(i).padStart(6, '0')}`)
  await sideBySide(keys, width, async (key) => void (await bucket.put(key, randomBytes(bytes))))
  await bucket.close()
  return keys
}

const server = await startVersitygw({ buckets: ['objects'] })
process.env.AWS_ACCESS_KEY_ID = server.keys.accessKeyId
process.env.AWS_SECRET_ACCESS_KEY = server.keys.secretAccessKey
const lines = []
for (const [what, folder, count, bytes, unit, promise] of [
  ['objects of 4 KiB', 'small', small, 4096, 'objects/s', 0.8],
  ['objects of 32 MiB', 'large', large, 32 * 1024 ** 2, 'MiB/s', 0.9],
] as const) {
  const keys = await put(server, folder, count, bytes)
  const units = unit === 'MiB/s' ? (count * bytes) / 1024 ** 2 : count
  const expected = await digestsOf(keys, bare(server))
  const measured = (digest: Digest) => () =>
    rate(units, async () => expectSame(what, await digestsOf(keys, digest), expected))
  const [theirs = [], mine = []] = await interleaved(rounds, measured(bare(server)), measured(ours(server)))
  const ratio = median(mine.map((figure, round) => figure / (theirs[round] ?? figure)))
  lines.push({ what, ours: median(mine), beside: 'bare loop', theirs: median(theirs), unit, ratio, promise })
}
printTable('objects to SHA-256', lines)
await server.stop()
process.exit(0)
