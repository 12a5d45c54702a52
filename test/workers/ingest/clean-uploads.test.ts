import { fetch } from 'undici'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openUploadArea } from '#infra/object-store/uploads/upload-area.ts'
import { addMillis, DAY } from '#src/domain/kernel/time.ts'
import { removeUploads } from '#src/workers/ingest/clean-uploads.ts'
import { openBucketDrop } from '#src/workers/ingest/submit/bucket-drop.ts'
import { startS3 } from '../../fakes/s3-server.ts'

const limits = { files: 10, bytes: 100, failIfStrange: async () => {} }

const world = async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'any')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'any')
  const s3 = await startS3()
  const area = openUploadArea({ bucket: 'bucket', prefix: 'root.uploads' }, { endpoint: s3.endpoint })
  onTestFinished(async () => {
    await area.close()
    await s3.close()
  })
  const upload = async (batch: string, isComplete: boolean) => {
    const drop = openBucketDrop(area, batch, limits)
    await drop.write(
      'a.txt',
      (async function* () {
        yield Buffer.from('a')
      })(),
    )
    if (isComplete) await drop.keep()
  }
  const folders = async () => {
    const found = await area.folders()()
    if (found._tag === 'Left') throw new Error(found.left.reason)
    return found.right
  }
  const clean = (afterDays: number, over: readonly string[] = []) =>
    removeUploads(area, {
      clock: { now: () => addMillis(new Date().toISOString(), afterDays * DAY) },
      isOver: (batch) => over.includes(batch),
    })
  return { s3, area, upload, folders, clean }
}

const [one, two, three] = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`) as [
  string,
  string,
  string,
]

it('uploads of batches that are over go; complete ones stay for as long as their batch may need them', async () => {
  const { upload, folders, clean } = await world()
  await upload(one, true)
  await upload(two, true)
  await clean(1000, [one])
  expect(await folders()).toEqual([two])
})

it('uploads that were never finished go once they are a week old, also those that are a part of one file', async () => {
  const { s3, upload, folders, clean } = await world()
  await upload(one, false)
  const begun = await fetch(`${s3.endpoint}/bucket/root.uploads/${two}/x/large.bin?uploads`, {
    method: 'POST',
    headers: { authorization: 'AWS4-HMAC-SHA256 Credential=any' },
  })
  expect(begun.status).toBe(200)
  await clean(6)
  expect(await folders()).toEqual([one, two])
  await clean(8)
  expect([await folders(), s3.bucket('bucket').uploads.size]).toEqual([[], 0])
})

it('what else lies there stays', async () => {
  const { area, folders, clean } = await world()
  const bytes = (async function* () {
    yield Buffer.from('theirs')
  })()
  await area.write('notes/a.txt', bytes)()
  await clean(1000)
  expect(await folders()).toEqual(['notes'])
})

it('nothing goes while the bucket does not list: the next time finds it', async () => {
  const { s3, upload, folders, clean } = await world()
  await upload(three, false)
  s3.beforeEach(({ method }) => (method === 'GET' ? { kind: 'answer', answer: { status: 403 } } : undefined))
  await expect(clean(8)).rejects.toThrow(/403/)
  s3.beforeEach(undefined)
  expect(await folders()).toEqual([three])
})
