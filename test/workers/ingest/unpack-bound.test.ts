import { execFileSync } from 'node:child_process'
import { createWriteStream, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import { createFileWork } from '#src/workers/ingest/files/file-work.ts'
import { createBound } from '#src/workers/ingest/unpack/bound.ts'
import type { TarCoding } from '#src/workers/ingest/unpack/container.ts'
import { decoded } from '#src/workers/ingest/unpack/decoded.ts'
import { testFolder } from '../../workflows/ingest/ingest-world.ts'
import { kept } from './bzip2-files.ts'
import { tarOf } from './tar-file.ts'
import { zipOf } from './zip-file.ts'

const work = createFileWork(60_000, 4)
afterAll(() => work.close())

const hold = { signal: new AbortController().signal, progress: () => {} }
const pieceBytes = 64 * 1024
const limit = 300_000
const limits = { files: 10, bytes: limit, ratio: 1e9 }

/** Four million zeros, and a few letters. */
const bzip2Streams = Buffer.concat(Array.from({ length: 20 }, () => kept.runs.packed))

const containers = async () => {
  const zeros = Buffer.alloc(4_000_000)
  const tar = await tarOf([{ name: 'zeros', bytes: zeros.toString('latin1') }])
  return {
    zip: zipOf([{ name: 'zeros', bytes: zeros }]),
    tar,
    'tar.gz': gzipSync(tar),
  }
}

it.each(['zip', 'tar', 'tar.gz'] as const)(
  'X13 a %s that expands beyond its bound is ended while it is unpacked: one piece more is made at most',
  async (kind) => {
    const folder = testFolder()
    const file = join(folder, 'container')
    const bytes = (await containers())[kind]
    writeFileSync(file, bytes)
    const into = join(folder, 'into')
    const refused = work.unpack({ file, kind, size: bytes.length, into, limits }, hold)
    await expect(refused).rejects.toThrow(`unpack to more than ${limit}, which is not done: send it unpacked`)
    expect(statSync(join(into, 'zeros')).size).toBeLessThanOrEqual(limit)
    expect(statSync(join(into, 'zeros')).size).toBeGreaterThan(0)
  },
)

const files: Readonly<Record<TarCoding, () => Buffer>> = {
  tar: () => Buffer.alloc(4_000_000),
  'tar.gz': () => gzipSync(Buffer.alloc(4_000_000)),
  'tar.bz2': () => bzip2Streams,
}

it.each(Object.keys(files) as TarCoding[])(
  'X13 a decoder of %s is asked for no more than its bound and one piece, and is ended then',
  async (kind) => {
    const file = join(testFolder(), 'container')
    writeFileSync(file, files[kind]())
    let made = 0
    let isEnded = false
    async function* counted() {
      try {
        for await (const piece of decoded[kind](file)) {
          expect(piece.length).toBeLessThanOrEqual(pieceBytes)
          made += piece.length
          yield piece
        }
      } finally {
        isEnded = true
      }
    }
    const bound = createBound(1000, limits, async () => {})
    const read = async () => {
      for await (const _ of bound(counted()));
    }
    await expect(read()).rejects.toThrow('which is not done')
    expect(made).toBeGreaterThan(limit)
    expect(made).toBeLessThanOrEqual(limit + pieceBytes)
    expect(isEnded).toBe(true)
  },
)

it('a container that takes long holds up neither this thread nor the containers of others, and tells its progress', async () => {
  const folder = testFolder()
  // A pipe: the thread that unpacks it stands still, as in a long computation, until the test writes to it.
  const slow = join(folder, 'slow')
  execFileSync('mkfifo', [slow])
  const bytes = await tarOf([{ name: 'a', bytes: 'slow' }])
  let isDone = false
  const unpacking = work
    .unpack({ file: slow, kind: 'tar', size: bytes.length, into: join(folder, 'slow-into') }, hold)
    .finally(() => {
      isDone = true
    })

  const quick = join(folder, 'quick')
  writeFileSync(quick, zipOf([{ name: 'b', bytes: Buffer.from('quick') }]))
  for (let i = 0; i < 5; i++) {
    const into = join(folder, `into-${i}`)
    const unpacked = await work.unpack({ file: quick, kind: 'zip', size: 5, into }, hold)
    expect(unpacked.files.map(({ path }) => path)).toEqual(['b'])
  }
  expect(isDone).toBe(false)

  createWriteStream(slow).end(bytes)
  expect((await unpacking).files.map(({ path }) => path)).toEqual(['a'])
})

it('X22 one that is stopped ends, and what it made stays in its folder', async () => {
  const folder = testFolder()
  const file = join(folder, 'container')
  const bytes = await tarOf(
    Array.from({ length: 20 }, (_, i) => ({ name: `${i}`, bytes: 'x'.repeat(100_000) })),
  )
  writeFileSync(file, bytes)
  const stop = new AbortController()
  mkdirSync(join(folder, 'into'))
  const progress = () => stop.abort(new Error('enough'))
  // However fast the disk is: some unpacking is under way for long enough.
  const again = async () => {
    for (let i = 0; ; i++)
      await work.unpack(
        { file, kind: 'tar', size: bytes.length, into: join(folder, 'into', `${i}`) },
        { signal: stop.signal, progress },
      )
  }
  await expect(again()).rejects.toThrow('enough')
  expect(readdirSync(join(folder, 'into')).length).toBeGreaterThan(0)
})
