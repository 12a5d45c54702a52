import { isLeft } from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { v4 as uuid } from 'uuid'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openUploadArea } from '#infra/object-store/uploads/upload-area.ts'
import { openBucket } from '#infra/s3/bucket.ts'
import { policyFor } from '#src/cli/storage/policy.ts'
import { s3Calls } from '../../fakes/s3-calls.ts'
import { server } from '../servers.ts'
import { keysInEnvironment, placeOf } from './server-address.ts'

/* Uploads beside a storage root, on real servers, in buckets with and without versions. */

const orThrow = async <A>(asked: TaskEither<object, A>): Promise<A> => {
  const found = await asked()
  if (isLeft(found)) throw new Error(JSON.stringify(found.left))
  return found.right
}

const all = async <A>(source: AsyncIterable<A>): Promise<readonly A[]> => {
  const found: A[] = []
  for await (const one of source) found.push(one)
  return found
}

async function* bytes(count: number) {
  for (let left = count; left > 0; left -= 65_536) yield Buffer.alloc(Math.min(left, 65_536), 'letter ')
}

for (const name of ['s3', 'moto'] as const) {
  const found = server(name)
  describe.skipIf('absent' in found)(`uploads on ${name}`, () => {
    const { endpoint, keys } = placeOf('absent' in found ? 'http://absent' : found.address)
    keysInEnvironment(keys)

    it.each([
      ['without versions', undefined],
      ['with versions', '<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>'],
    ])('are written, found and deleted for good, %s', async (_, versioning) => {
      const calls = s3Calls(endpoint, keys)
      const bucket = `b-${uuid()}`
      expect(await calls.call('PUT', `/${bucket}`)).toMatchObject({ status: 200 })
      if (versioning !== undefined) {
        const asked = await calls.call('PUT', `/${bucket}`, { query: { versioning: '' }, body: versioning })
        expect(asked).toMatchObject({ status: 200 })
      }
      const client = openBucket(bucket, { endpoint })
      const area = openUploadArea({ bucket, prefix: 'a b/root.uploads' }, { endpoint })
      onTestFinished(async () => {
        await area.close()
        await client.close()
        await calls.close()
      })
      const prefix = 'a b/root.uploads/'
      const keysThere = async () =>
        (await all(client.list({ prefix }))).flatMap(({ objects }) =>
          objects.map(({ key, size }) => `${key.slice(prefix.length)} ${size}`),
        )

      await orThrow(area.write('batch/one/brüder 100%20+.txt', bytes(8)))
      await orThrow(area.write('batch/one/empty', bytes(0)))
      await orThrow(area.write('batch/one/deep/large.bin', bytes(17 * 1024 ** 2)))
      const failing = async function* () {
        yield* bytes(17 * 1024 ** 2)
        throw new RangeError('the request broke off')
      }
      await expect(area.write('batch/one/broken', failing())()).rejects.toThrow(RangeError)
      expect(await orThrow(area.keepFirst('batch/upload.json', 'first'))).toBe('first')
      expect(await orThrow(area.keepFirst('batch/upload.json', 'second'))).toBe('first')
      expect(await orThrow(area.text('batch/upload.json'))).toBe('first')
      expect(await orThrow(area.text('batch/none.json'))).toBeUndefined()
      expect(await keysThere()).toEqual([
        `batch/one/brüder 100%20+.txt 8`,
        `batch/one/deep/large.bin ${17 * 1024 ** 2}`,
        'batch/one/empty 0',
        'batch/upload.json 5',
      ])
      await client.createUpload(`${prefix}begun/one/large.bin`)
      await orThrow(area.write('others/a', bytes(1)))
      expect([...(await orThrow(area.folders()))].sort()).toEqual(['batch', 'begun', 'others'])
      const begunAt = await orThrow(area.lastWritten('begun'))
      // moto says 2010 of each.
      if (name === 's3') expect(Math.abs(begunAt - Date.now())).toBeLessThan(600_000)
      else expect(begunAt).toBeGreaterThan(0)
      expect(await orThrow(area.lastWritten('none'))).toBe(0)

      for (const folder of ['batch', 'begun']) await orThrow(area.remove(folder))
      expect(await keysThere()).toEqual(['others/a 1'])
      expect(await all(client.uploads({ prefix }))).toEqual([])
      const versions = (await all(client.versions({ prefix }))).flat()
      expect(versions.map(({ key }) => key)).toEqual([`${prefix}others/a`])
      // A mark of the deleted one does not stand in the way.
      expect(await orThrow(area.keepFirst('batch/upload.json', 'third'))).toBe('third')
    })
  })

  it('the rights that are printed for a storage root cover its uploads', () => {
    const { Resource } = policyFor('archive', 'root/', { write: true }).Statement[1]!
    expect(Resource).toContain('arn:aws:s3:::archive/root.uploads/*')
  })
}
