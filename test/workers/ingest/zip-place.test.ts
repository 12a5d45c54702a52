import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createFileWork } from '#src/workers/ingest/files/file-work.ts'
import type { ContainerKind } from '#src/workers/ingest/unpack/container.ts'
import { findZip } from '#src/workers/zip/zip-place.ts'
import { testFolder } from '../../workflows/ingest/ingest-world.ts'
import { tarOf } from './tar-file.ts'
import { zipOf } from './zip-file.ts'

const work = createFileWork(60_000)
afterAll(() => work.close())

const hold = { signal: new AbortController().signal, progress: () => {} }

const unpacked = async (bytes: Uint8Array, kind: ContainerKind = 'zip') => {
  const folder = testFolder()
  const file = join(folder, 'container')
  writeFileSync(file, bytes)
  const into = join(folder, 'into')
  mkdirSync(into)
  const { files, warnings } = await work.unpack({ file, kind, size: bytes.length, into }, hold)
  return {
    files: Object.fromEntries(files.map(({ path }) => [path, readFileSync(join(into, path), 'utf8')])),
    warnings,
  }
}

const placeIn = (bytes: Uint8Array) => {
  const whole = Buffer.from(bytes)
  return findZip({ size: whole.length, read: (offset, buffer) => whole.copy(buffer, 0, offset) })
}

const parts = [
  { name: 'a.txt', bytes: Buffer.from('alpha'.repeat(100)) },
  { name: 'deep/b.txt', bytes: Buffer.from('beta'), stored: true },
]
const files = { 'a.txt': 'alpha'.repeat(100), 'deep/b.txt': 'beta' }
const zip = zipOf(parts)
const bytes = (length: number, of = 'x') => Buffer.alloc(length, of)
const around = (places: string) => [`the file is more than the zip in it: ${places} are not kept`]

/** The offsets of a zip, counted from the beginning of a file that has `by` bytes before it. */
const shifted = (by: number): Buffer => {
  const moved = Buffer.from(zip)
  const end = moved.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  moved.writeUInt32LE(moved.readUInt32LE(end + 16) + by, end + 16)
  for (
    let at = moved.indexOf('PK\x01\x02', 0, 'latin1');
    at >= 0;
    at = moved.indexOf('PK\x01\x02', at + 1, 'latin1')
  )
    moved.writeUInt32LE(moved.readUInt32LE(at + 42) + by, at + 42)
  return moved
}

/** The zip with the end records of ZIP64. */
const zip64 = (() => {
  const at = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  const [record, locator] = [Buffer.alloc(56), Buffer.alloc(20)]
  record.write('PK\x06\x06', 'latin1')
  record.writeBigUInt64LE(44n, 4)
  for (const field of [24, 32]) record.writeBigUInt64LE(2n, field)
  record.writeBigUInt64LE(BigInt(zip.readUInt32LE(at + 12)), 40)
  record.writeBigUInt64LE(BigInt(zip.readUInt32LE(at + 16)), 48)
  locator.write('PK\x06\x07', 'latin1')
  locator.writeBigUInt64LE(BigInt(at), 8)
  locator.writeUInt32LE(1, 16)
  const end = Buffer.from(zip.subarray(at))
  end.fill(0xff, 8, 20)
  return Buffer.concat([zip.subarray(0, at), record, locator, end])
})()

describe('bytes around a zip', () => {
  it.each<[string, Buffer, string[]]>([
    ['none', zip, []],
    [
      'before it, not counted in its offsets (cat stub a.zip)',
      Buffer.concat([bytes(512), zip]),
      around('512 bytes before it'),
    ],
    [
      'before it, counted in its offsets (zip -A)',
      Buffer.concat([bytes(512), shifted(512)]),
      around('512 bytes before it'),
    ],
    ['behind it', Buffer.concat([zip, bytes(3, '\0')]), around('3 bytes behind it')],
    [
      'behind it, more than a comment may have',
      Buffer.concat([zip, bytes(300_000)]),
      around('300000 bytes behind it'),
    ],
    [
      'on both sides',
      Buffer.concat([bytes(7), zip, bytes(9)]),
      around('7 bytes before it and 9 bytes behind it'),
    ],
    [
      'behind it, with what looks like its end',
      Buffer.concat([zip, bytes(40), Buffer.from('PK\x05\x06'), bytes(40)]),
      around('84 bytes behind it'),
    ],
    ['none, of ZIP64', zip64, []],
    [
      'on both sides, of ZIP64',
      Buffer.concat([bytes(70_000), zip64, bytes(2)]),
      around('70000 bytes before it and 2 bytes behind it'),
    ],
    [
      'that say it was to be of several parts',
      Buffer.concat([Buffer.from('PK\x07\x08', 'latin1'), shifted(4)]),
      [],
    ],
  ])('ingest X13: %s are told, and its files are unpacked', async (_, file, warnings) => {
    expect(await unpacked(file)).toEqual({ files, warnings })
  })

  it('ingest X13: of two zips in one file the last is unpacked, and the first told', async () => {
    const first = zipOf([{ name: 'first', bytes: Buffer.from('1') }])
    expect(await unpacked(Buffer.concat([first, zip]))).toEqual({
      files,
      warnings: around(`${first.length} bytes before it`),
    })
  })

  it.each([
    ['a zip that is cut off', zip.subarray(0, zip.length - 30)],
    ['no zip', bytes(100_000)],
    ['nothing', bytes(0)],
    [
      'an end record alone that points behind the file',
      Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), bytes(18, '\xff')]),
    ],
  ])('%s is in no place, and is refused', async (_, file) => {
    expect(placeIn(file)).toBeUndefined()
    await expect(unpacked(file)).rejects.toThrow('it is no zip that can be read to its end')
  })

  it('is looked for within 1 MiB from the end', () => {
    expect(placeIn(Buffer.concat([zip, bytes(1024 ** 2 - 200)]))).toEqual({ from: 0, to: zip.length })
    expect(placeIn(Buffer.concat([zip, bytes(1024 ** 2)]))).toBeUndefined()
  })
})

describe('empty folders of a container', () => {
  const told = ['an object has files alone: empty folders are not kept ("empty"; "a/deep")']

  it('are told, of a zip', async () => {
    const folder = (name: string) => ({ name, bytes: Buffer.alloc(0), stored: true })
    const found = await unpacked(
      zipOf([
        folder('empty/'),
        folder('full/'),
        folder('a/'),
        folder('a/deep/'),
        ...['full/f', 'f'].map(folder),
      ]),
    )
    expect(found).toEqual({ files: { 'full/f': '', f: '' }, warnings: told })
  })

  it('are told, of a tar; its top is none of them', async () => {
    const folder = (name: string) => ({ name, type: 'directory' }) as const
    const parts = [folder('./'), folder('./empty/'), folder('./full/'), folder('./a/'), folder('./a/deep/')]
    const found = await unpacked(await tarOf([...parts, { name: './full/f' }, { name: 'f' }]), 'tar')
    expect(found).toEqual({ files: { 'full/f': '', f: '' }, warnings: told })
  })
})
