import { createHash } from 'node:crypto'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { cleanStages } from '#src/workers/ingest/clean-stages.ts'
import { useBucketStore } from '../../infra/object-store/bucket-store.ts'
import { done } from '../../infra/object-store/root-folder.ts'
import { testFolder } from '../../workflows/ingest/ingest-world.ts'
import { batchOfSteps, stepsWorld } from './steps-world.ts'

/* Storage in a bucket takes bytes in as they come: they pass the work folder by. */

const letter = Buffer.alloc(9 * 1024 ** 2, 'letter ')

/** A depositor's server, which breaks each answer off behind so many bytes, once. */
const useDepositor = async (
  content: Buffer,
  { breaks = 0, coding }: { breaks?: number; coding?: string } = {},
) => {
  let sent = 0
  let asked = 0
  const server = createServer((request, response) => {
    asked += 1
    const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0)
    const rest = content.subarray(from)
    response.writeHead(from > 0 ? 206 : 200, {
      etag: '"same"',
      'content-length': rest.length,
      ...(coding && { 'content-encoding': coding }),
      ...(from > 0 && { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` }),
    })
    if (request.method === 'HEAD') return void response.end()
    if (asked === 1 && breaks > 0) {
      sent += breaks
      return void response.write(rest.subarray(0, breaks), () => response.destroy())
    }
    sent += rest.length
    response.end(rest)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/letter.bin`, sent: () => sent, stop: () => server.close() }
}

const useBucket = async () => {
  const bucket = await useBucketStore()
  const objects = await bucket.open()
  const content = async () => (await bucket.keys()).filter((key) => key.includes('/content/'))
  return { ...bucket, objects, content }
}

const filesIn = (folder: string): readonly string[] =>
  existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []

const bytesOf = async (world: Awaited<ReturnType<typeof stepsWorld>>, ark: string, path: string) =>
  buffer((await done(world.objects.read(ark, path)))!.open())

const lostBatch = '0d9c5f0a-51a7-4b53-8a45-6a5e2b7d1c11'

const inState =
  (state: string, batch = batchOfSteps) =>
  async () =>
    ({ state, facts: { batch } }) as never

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

describe('I27, I28 with storage in a bucket', () => {
  it('the bytes of a server come once, to where the version has them, and not to the work folder', async () => {
    const { objects, content } = await useBucket()
    const depositor = await useDepositor(letter, { breaks: 5_000_000 })
    const digest = { algorithm: 'md5', value: createHash('md5').update(letter).digest('hex') }
    const payload = { url: depositor.url, type: 'file', name: 'letter.bin', size: letter.length, digest }
    const world = await stepsWorld(payload, { objects })
    await world.claim('downloading')
    const [key] = await content()
    expect(key).toContain('/v1/content/')
    expect(filesIn(world.workFolder().producer)).toEqual([])
    // It went on where it broke off; a few bytes were on their way.
    const sent = depositor.sent()
    expect(sent).toBeLessThan(letter.length + 1_000_000)
    const { ark = '' } = await world.claim('processing', 'storing')
    expect(await content()).toContain(key)
    expect((await bytesOf(world, ark, 'producer/letter.bin')).equals(letter)).toBe(true)
    expect(depositor.sent()).toBe(sent)
    expect(await objects.stages?.ids()).toEqual([])
  })

  it('another node, which has no work folder, goes on with what is in the bucket', async () => {
    const { objects } = await useBucket()
    const depositor = await useDepositor(letter)
    const world = await stepsWorld({ url: depositor.url, type: 'file', name: 'letter.bin' }, { objects })
    await world.claim('downloading', 'processing')
    rmSync(world.workFolder().path, { recursive: true })
    depositor.stop()
    const { ark = '' } = await world.claim('storing')
    expect((await bytesOf(world, ark, 'producer/letter.bin')).equals(letter)).toBe(true)
  })

  it.each([
    ['size', { size: letter.length + 1 }, /bytes; \d+ were announced/],
    [
      'digest',
      { digest: { algorithm: 'sha256', value: sha256(Buffer.from('other')) } },
      /digest .* announced/,
    ],
  ])('X12 a wrong %s fails the step before there is a key', async (_, announced, reason) => {
    const { objects, content, client } = await useBucket()
    const { url } = await useDepositor(letter)
    const world = await stepsWorld({ url, type: 'file', name: 'letter.bin', ...announced }, { objects })
    await expect(world.claim('downloading')).rejects.toThrow(reason)
    expect(await content()).toEqual([])
    for await (const upload of client.uploads({})) expect(upload).toBeUndefined()
    await cleanStages({ stages: objects.stages!, job: inState('failed') })
    expect(await objects.stages?.ids()).toEqual([])
  })

  it('a folder of this machine: metadata is read in the work folder, the rest goes straight', async () => {
    const { objects } = await useBucket()
    const source = testFolder()
    writeFileSync(join(source, 'a.txt'), 'A')
    writeFileSync(join(source, 'mrt-erc.txt'), 'who: Ada\nwhat: letters\n')
    const world = await stepsWorld({ url: pathToFileURL(source).href, type: 'folder' }, { objects })
    await world.claim('downloading')
    expect(filesIn(world.workFolder().producer)).toEqual(['mrt-erc.txt'])
    const found = await world.claim('processing', 'storing')
    expect(found).toMatchObject({ description: { who: 'Ada', what: 'letters' } })
    expect((await bytesOf(world, found.ark ?? '', 'producer/a.txt')).toString()).toBe('A')
    expect((await bytesOf(world, found.ark ?? '', 'producer/mrt-erc.txt')).toString()).toContain('Ada')
  })

  it('bytes in a coding that nobody asked for are undone in the work folder', async () => {
    const { objects } = await useBucket()
    const { url } = await useDepositor(gzipSync(letter), { coding: 'gzip' })
    const world = await stepsWorld({ url, type: 'file', name: 'letter.bin' }, { objects })
    await world.claim('downloading')
    expect(filesIn(world.workFolder().producer)).toEqual(['letter.bin'])
    const { ark = '' } = await world.claim('processing', 'storing')
    expect((await bytesOf(world, ark, 'producer/letter.bin')).equals(letter)).toBe(true)
  })

  it('I23 the work folder needs room for the metadata alone', async () => {
    const { objects } = await useBucket()
    const source = testFolder()
    writeFileSync(join(source, 'a.txt'), letter)
    writeFileSync(join(source, 'mrt-erc.txt'), 'who: Ada\nwhat: letters\n')
    const payload = { url: pathToFileURL(source).href, type: 'folder' }
    const inBucket = await stepsWorld(payload, { objects })
    const [metadata, all] = [23, letter.length + 23]
    expect(await inBucket.claim('estimating')).toEqual({
      spaceNeeded: all,
      sizeKnown: true,
      workBytes: metadata,
    })
    expect(await (await stepsWorld(payload)).claim('estimating')).toEqual({
      spaceNeeded: all,
      sizeKnown: true,
    })
  })

  it('I23 a file of unknown size needs no room where storage takes it as it comes', async () => {
    const { objects } = await useBucket()
    const payload = { url: 'http://127.0.0.1:1/letter.bin', type: 'file', name: 'letter.bin' }
    expect(await (await stepsWorld(payload, { objects })).claim('estimating')).toMatchObject({
      sizeKnown: false,
      workBytes: 0,
    })
    expect(await (await stepsWorld(payload)).claim('estimating')).not.toHaveProperty('workBytes')
  })

  it('files of a small job are put with their version, and need no stage', async () => {
    const { objects, content } = await useBucket()
    const small = letter.subarray(0, 4096)
    const depositor = await useDepositor(small)
    const payload = { url: depositor.url, type: 'file', name: 'letter.bin', size: small.length }
    const world = await stepsWorld(payload, { objects })
    const { open, files, ids } = objects.stages!
    const stages = { open: vi.fn(open), files: vi.fn(files), ids, remove: vi.fn(objects.stages!.remove) }
    Object.assign(objects.stages!, stages)
    const { ark = '' } = await world.claim('downloading', 'processing', 'storing')
    expect((await bytesOf(world, ark, 'producer/letter.bin')).equals(small)).toBe(true)
    expect(depositor.sent()).toBe(small.length)
    expect((await content()).filter((key) => key.endsWith('producer/letter.bin'))).toHaveLength(1)
    for (const call of [stages.open, stages.files, stages.remove]) expect(call).not.toHaveBeenCalled()
    expect(filesIn(world.workFolder().producer)).toEqual([])
  })

  it('files of a small job are fetched again under another claim', async () => {
    const { objects } = await useBucket()
    const small = letter.subarray(0, 4096)
    const depositor = await useDepositor(small)
    const payload = { url: depositor.url, type: 'file', name: 'letter.bin', size: small.length }
    const world = await stepsWorld(payload, { objects })
    await world.claim('downloading', 'processing')
    const { ark = '' } = await world.claim('storing')
    expect((await bytesOf(world, ark, 'producer/letter.bin')).equals(small)).toBe(true)
    expect(depositor.sent()).toBe(2 * small.length)
  })

  it('X12 a small file of a wrong digest fails the step, and stores nothing', async () => {
    const { objects, keys } = await useBucket()
    const { url } = await useDepositor(letter.subarray(0, 4096))
    const digest = { algorithm: 'sha256', value: sha256(Buffer.from('other')) }
    const world = await stepsWorld({ url, type: 'file', name: 'letter.bin', size: 4096, digest }, { objects })
    const before = await keys()
    await expect(world.claim('downloading', 'processing', 'storing')).rejects.toThrow(/digest .* announced/)
    expect(await keys()).toEqual(before)
  })

  it('what a job that is not over has staged stays', async () => {
    const { objects } = await useBucket()
    const { url } = await useDepositor(letter)
    const world = await stepsWorld({ url, type: 'file', name: 'letter.bin' }, { objects })
    await world.claim('downloading')
    const stages = objects.stages!
    const [id = ''] = await stages.ids()
    await cleanStages({ stages, job: inState('processing') })
    await cleanStages({ stages, job: async () => undefined })
    await cleanStages({ stages, job: inState('deleted', 'another batch') })
    expect(await stages.ids()).toEqual([id])
    await cleanStages({ stages, job: inState('deleted', id.replace('job-1-', '')) })
    expect(await stages.ids()).toEqual([])
  })

  it('what an older program staged, by the number of the job alone, goes with that job', async () => {
    const { objects } = await useBucket()
    const stages = objects.stages!
    await stages.open({ id: 'job-1', object: 'ark:/99999/fk4', basedOn: 0 })
    await cleanStages({ stages, job: inState('processing') })
    expect(await stages.ids()).toEqual(['job-1'])
    await cleanStages({ stages, job: inState('completed') })
    expect(await stages.ids()).toEqual([])
  })

  it('a job does not take what another of its number staged, of a log that was lost, for its own', async () => {
    const { objects, content } = await useBucket()
    const before = await useDepositor(Buffer.alloc(letter.length, 'another '))
    const lost = await stepsWorld(
      { url: before.url, type: 'file', name: 'letter.bin' },
      { objects, batch: lostBatch },
    )
    await lost.claim('downloading')
    expect(await content()).toHaveLength(1)
    const { url } = await useDepositor(letter)
    const world = await stepsWorld({ url, type: 'file', name: 'letter.bin' }, { objects })
    const { ark = '' } = await world.claim('downloading', 'processing', 'storing')
    expect((await bytesOf(world, ark, 'producer/letter.bin')).equals(letter)).toBe(true)
  })
})
