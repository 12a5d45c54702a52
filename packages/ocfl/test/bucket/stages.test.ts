import { describe, expect, it } from 'vitest'
import type { BucketRoot } from '../../src/bucket/objects.ts'
import type { StagedFile } from '../../src/types.ts'
import { ark, failureOf, hex, versionOf } from '../root-folder.ts'
import { prefix, useBucket } from './bucket-root.ts'
import { Killed, killedAt } from './memory-bucket.ts'
import { expectValid } from './valid-root.ts'

/* Bytes that come before the version that names them. */

const id = 'job-7'
const large = 'l'.repeat(6500)

/** Takes files in, as an earlier step does; `pieces`: bytes of a chunk. */
const stageFiles = async (
  root: BucketRoot,
  files: Readonly<Record<string, string>>,
  { object = ark, basedOn = 0, pieces = 700 } = {},
): Promise<readonly StagedFile[]> => {
  const stage = await root.stages.open({ id, object, basedOn })
  const staged: StagedFile[] = []
  for (const [path, text] of Object.entries(files)) {
    const bytes = Buffer.from(text)
    const intake = stage.begin(path, bytes.length)
    for (let at = 0; at < bytes.length; at += pieces) await intake.write(bytes.subarray(at, at + pieces))
    staged.push(await intake.end(() => {}))
  }
  await stage.note()
  return staged
}

const contentKeys = (texts: ReadonlyMap<string, string>): readonly string[] =>
  [...texts.keys()].filter((key) => key.includes('/content/'))

describe('staged bytes', () => {
  it('become those of the next version where they are, and nothing is read or put again', async () => {
    const calls: string[] = []
    const use = useBucket()
    const root = await use.open(async (name, key) => void calls.push(`${name} ${key}`))
    const staged = await stageFiles(root, { a: 'one', large })
    const [a, b] = staged.map(({ from }) => ('key' in from ? from.key : undefined))
    expect([a, b]).toEqual(contentKeys(use.texts()))
    expect(await root.head(ark)).toBeUndefined()
    calls.length = 0
    const version = versionOf(ark, 0, [...staged, use.file('system', 'of ours')])
    expect(await root.write(version)).toMatchObject({ version: 1, files: 3, added: 6510 })
    expect(calls.filter((call) => call.includes(a!) || call.includes(b!))).toEqual([])
    expectValid(use.texts(), `${prefix}/`)
    expect(await use.read(root, 'large')).toBe(large)
    expect(await root.stages.ids()).toEqual([])
  })

  it('I27 that are not as they should be never become a key', async () => {
    const use = useBucket()
    const root = await use.open()
    const stage = await root.stages.open({ id, object: ark, basedOn: 0 })
    for (const text of ['short', large]) {
      const intake = stage.begin('a', text.length)
      await intake.write(Buffer.from(text))
      const refuse = () => {
        throw new Error('another digest was announced')
      }
      await expect(intake.end(refuse)).rejects.toThrow('another digest')
    }
    const given = stage.begin('b', 9000)
    await given.write(Buffer.from(large))
    await given.abort()
    expect(contentKeys(use.texts())).toEqual([])
    expect(use.openUploads()).toBe(0)
    await expect(stage.begin('c', 3).write(Buffer.from('four'))).rejects.toThrow('more than 3 bytes')
  })

  it('of unknown size come in parts, too', async () => {
    const use = useBucket()
    const root = await use.open()
    const stage = await root.stages.open({ id, object: ark, basedOn: 0 })
    const intake = stage.begin('a')
    const chunk = Buffer.alloc(1024 ** 2, 'x')
    for (let i = 0; i < 17; i++) await intake.write(chunk)
    const staged = await intake.end(() => {})
    await root.write(versionOf(ark, 0, [staged]))
    expectValid(use.texts(), `${prefix}/`)
  })

  it('that the object has already are not stored twice', async () => {
    const use = useBucket()
    const root = await use.open()
    await root.write(versionOf(ark, 0, [use.file('before', large)]))
    const staged = await stageFiles(root, { a: large, b: 'new', c: 'new' }, { basedOn: 1 })
    expect(await root.inspect(ark)).toMatchObject({ strays: [] })
    expect(await root.write(versionOf(ark, 1, staged))).toMatchObject({ version: 2, added: 3 })
    expect(contentKeys(use.texts())).toHaveLength(2)
    expectValid(use.texts(), `${prefix}/`)
  })

  it('are put again where another version, or another object, came of it', async () => {
    const use = useBucket()
    const root = await use.open()
    const staged = await stageFiles(root, { a: 'one', large })
    await root.write(versionOf(ark, 0, [use.file('x', 'of another job')]))
    await root.write(versionOf(ark, 1, staged))
    const others = await stageFiles(root, { b: large.toUpperCase() }, { object: 'ark:/99999/other' })
    await root.write(versionOf(ark, 2, others))
    expect(await use.read(root, 'b')).toBe(large.toUpperCase())
    expect(await use.read(root, 'large', 2)).toBe(large)
    expectValid(use.texts(), `${prefix}/`)
  })

  it('of names that no file system keeps apart stay apart', async () => {
    const use = useBucket()
    const root = await use.open()
    const files = { A: '1', a: '2', 'a/b': '3', 'q?': '4', [`by-name/${hex('q?')}`]: '5', x: '6' }
    const { a: _, ...apart } = files
    await root.write(versionOf(ark, 0, await stageFiles(root, apart)))
    for (const [path, text] of Object.entries(apart)) expect(await use.read(root, path)).toBe(text)
    expectValid(use.texts(), `${prefix}/`)
  })

  it('are found by another process, and gone once they are removed', async () => {
    const use = useBucket()
    const staged = await stageFiles(await use.open(), { a: 'one', large })
    const other = await use.open()
    expect(await other.stages.ids()).toEqual([id])
    expect(await other.stages.files(id)).toEqual(staged)
    expect(await other.stages.remove(id)).toBe(true)
    expect(await other.stages.files(id)).toEqual([])
    expectValid(use.texts(), `${prefix}/`)
    const failed = await failureOf(other.write(versionOf(ark, 0, staged)))
    expect(failed).toMatchObject({ kind: 'InvalidVersion', reason: expect.stringContaining('not there any') })
    expectValid(use.texts(), `${prefix}/`)
  })
})

it.each([{ marks: false }, { marks: true }])(
  'staged and stored, killed at any moment: the work can be done again, and nothing is left (%o)',
  async (habits) => {
    const work = async (root: BucketRoot, use: ReturnType<typeof useBucket>) => {
      const before = await root.stages.files(id)
      const staged = before.length > 0 ? before : await stageFiles(root, { a: 'one', large, twice: 'one' })
      await root.write(versionOf(ark, 0, [...staged, use.file('system', 'of ours')]))
    }
    for (let moment = 0; ; moment++) {
      const use = useBucket(habits)
      const killing = killedAt(moment)
      let isOpen = false
      const root = await use.open(async () => (isOpen ? killing.call() : undefined), { process: 'killed' })
      isOpen = true
      const done = await work(root, use).then(
        () => true,
        (error: unknown) => {
          expect(error).toBeInstanceOf(Killed)
          return false
        },
      )
      use.end('killed')
      const next = await use.open()
      await next.recover()
      // Either the job ends without a version, or another process goes on with it.
      if (moment % 2 === 0) await work(next, use)
      for (const one of await next.stages.ids()) expect(await next.stages.remove(one)).toBe(true)
      expectValid(use.texts(), `${prefix}/`)
      expect(use.openUploads()).toBe(0)
      if (moment % 2 === 0) expect(await use.read(next, 'large')).toBe(large)
      if (done) break
      expect(moment).toBeLessThan(500)
    }
  },
)

it('removed while a version adopts them: the version has all of its bytes, or is not there', async () => {
  for (let moment = 0; moment < 60; moment++) {
    const use = useBucket()
    const remover = await use.open()
    let calls = 0
    let isArmed = false
    const root = await use.open(async () => {
      if (!isArmed || calls++ !== moment) return
      isArmed = false
      await remover.stages.remove(id)
    })
    const staged = await stageFiles(root, { a: 'one', large })
    isArmed = true
    const failed = await failureOf(root.write(versionOf(ark, 0, staged)))
    for (const one of await remover.stages.ids()) await remover.stages.remove(one)
    expectValid(use.texts(), `${prefix}/`)
    if (!failed) expect(await use.read(root, 'large')).toBe(large)
  }
})
