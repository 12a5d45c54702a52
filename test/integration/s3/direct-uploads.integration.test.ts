import { createHash, randomBytes } from 'node:crypto'
import { v4 as uuid } from 'uuid'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openUploadArea } from '#infra/object-store/uploads/upload-area.ts'
import { announcedDigests } from '#src/workers/ingest/submit/announced-digests.ts'
import { completeDrop, offerFiles } from '#src/workers/ingest/submit/direct-drop.ts'
import { s3Calls } from '../../fakes/s3-calls.ts'
import { patience } from '../../patience.ts'
import { server } from '../servers.ts'
import { keysInEnvironment, placeOf } from './server-address.ts'

/* Uploads by signed addresses, on real servers: two nodes offer and complete, a client writes. */

const limits = { files: 10, bytes: 1024 ** 3 }
const partBytes = 5 * 1024 ** 2
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

for (const name of ['s3', 'moto'] as const) {
  const found = server(name)
  describe.skipIf('absent' in found)(`uploads by signed addresses on ${name}`, () => {
    const { endpoint, keys } = placeOf('absent' in found ? 'http://absent' : found.address)
    keysInEnvironment(keys)

    const world = async () => {
      const calls = s3Calls(endpoint, keys)
      const bucket = `b-${uuid()}`
      expect(await calls.call('PUT', `/${bucket}`)).toMatchObject({ status: 200 })
      const node = () => openUploadArea({ bucket, prefix: 'a b/root.uploads' }, { endpoint }, { partBytes })
      const [one, other] = [node(), node()]
      onTestFinished(async () => {
        await Promise.all([one.close(), other.close(), calls.close()])
      })
      const of = { batch: uuid(), upload: uuid() }
      return { one, other, of }
    }
    const put = (url: string, bytes: Uint8Array<ArrayBuffer>, headers: Readonly<Record<string, string>>) =>
      fetch(url, { method: 'PUT', body: bytes, headers })

    it('small files in one request, large ones in parts, offered by a node and completed by another', async () => {
      const { one, other, of } = await world()
      const bytes = {
        'brüder 100%20+.txt': Buffer.from('Dear Ada'),
        empty: Buffer.alloc(0),
        'deep/large.bin': randomBytes(2 * partBytes + 7),
      }
      const files = Object.entries(bytes).map(([path, all]) => ({
        ...{ path, size: all.length },
        sha256: sha256(all),
      }))
      const offered = await offerFiles(one, of, files, limits, 600)
      expect(offered.map(({ requests }) => requests.length)).toEqual([1, 1, 3])
      const written = await Promise.all(
        offered.map(async ({ path, uploadId, requests }, i) => {
          const etags: string[] = []
          for (const { number, from, size, url, headers } of requests) {
            const part = Buffer.from(bytes[path as keyof typeof bytes].subarray(from, from + size))
            const answer = await put(url, part, headers)
            expect([path, answer.status]).toEqual([path, 200])
            etags[number - 1] = answer.headers.get('etag') ?? ''
          }
          return { ...files[i]!, ...(uploadId !== undefined && { uploadId, etags }) }
        }),
      )
      const drop = await completeDrop(other, of, written, limits)
      expect(await drop.keep()).toBe(true)
      // The answer was lost: it is completed once more, by the first node.
      const again = await completeDrop(one, of, written, limits)
      expect([await again.keep(), await again.isRepeat()]).toEqual([true, true])
      const lying = written.map((file) => ({ ...file, sha256: sha256(Buffer.from('another')) }))
      // moto compares no checksums: there the jobs do.
      if (name === 's3') await expect(completeDrop(one, of, lying, limits)).rejects.toThrow('was announced')
      const announced = announcedDigests(async () => one)
      const below = `${one.address}${of.batch}/${of.upload}/`
      expect(await announced(`${below}deep/`)).toEqual(new Map([['large.bin', files[2]!.sha256]]))
    })

    it('what was not announced so is refused when it is completed, whoever let it in', async () => {
      const { one, other, of } = await world()
      const file = { path: 'a.txt', size: 8, sha256: sha256(Buffer.from('Dear Ada')) }
      const [offer] = await offerFiles(one, of, [file], limits, 600)
      const { url, headers } = offer!.requests[0]!
      await expect(completeDrop(other, of, [file], limits)).rejects.toThrow('is not there')
      const statuses = [
        (await put(url, Buffer.from('Dear Eva'), headers)).status,
        (await put(url, Buffer.from('Dear Ada, and all others'), headers)).status,
      ]
      // moto computes neither signatures nor checksums.
      if (name === 's3') expect(statuses).toEqual([400, 403])
      else await expect(completeDrop(other, of, [file], limits)).rejects.toThrow(/announced/)
      expect((await put(url, Buffer.from('Dear Ada'), headers)).status).toBe(200)
      await completeDrop(other, of, [file], limits)
    })

    it('an address that has expired writes nothing', async () => {
      const { one, of } = await world()
      const file = { path: 'a.txt', size: 1, sha256: sha256(Buffer.from('a')) }
      const [offer] = await offerFiles(one, of, [file], limits, 1)
      const { url, headers } = offer!.requests[0]!
      const late = new URL(url)
      late.searchParams.set('X-Amz-Expires', '86400')
      if (name !== 's3') return
      // A longer time is not what was signed.
      expect((await put(late.href, Buffer.from('a'), headers)).status).toBe(403)
      await expect
        .poll(async () => (await put(url, Buffer.from('a'), headers)).status, { timeout: patience })
        .toBe(403)
    })
  })
}
