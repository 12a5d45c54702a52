import { createHash, randomBytes } from 'node:crypto'
import openContent from '../infra/content/open-content.ts'
import { startVersitygw, type Versitygw } from '../infra/local/s3/versitygw.ts'
import { openBucket } from '../infra/s3/bucket.ts'
import { sideBySide } from '../src/async/side-by-side.ts'
import { bareDigest, type Digest } from './bare-bucket.ts'
import { expectSame, interleaved, median, printTable, rate } from './table.ts'

/*
 * Objects of a bucket to SHA-256: the content store beside a bare loop of undici, signature-v4 and node:crypto, both
 * with 16 requests at a time in one thread, on a versitygw of this machine, in one run.
 * `node bench/s3-objects.ts [objects of 4 KiB, default 20,000] [objects of 32 MiB, default 16] [rounds, default 3]`
 */

const [small = 20_000, large = 16, rounds = 3] = process.argv.slice(2).map(Number)
const width = 16
const region = 'us-east-1'

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
  const expected = await digestsOf(keys, bareDigest(server))
  const measured = (digest: Digest) => () =>
    rate(units, async () => expectSame(what, await digestsOf(keys, digest), expected))
  const [theirs = [], mine = []] = await interleaved(
    rounds,
    measured(bareDigest(server)),
    measured(ours(server)),
  )
  const ratio = median(mine.map((figure, round) => figure / (theirs[round] ?? figure)))
  lines.push({ what, ours: median(mine), beside: 'bare loop', theirs: median(theirs), unit, ratio, promise })
}
printTable('objects to SHA-256', lines)
await server.stop()
process.exit(0)
