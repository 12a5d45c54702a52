import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { createFileWork } from '#src/workers/ingest/files/file-work.ts'
import type { UnpackLimits } from '#src/workers/ingest/unpack/bound.ts'
import { type ContainerKind, containerKind } from '#src/workers/ingest/unpack/container.ts'
import { tarOf } from './tar-file.ts'
import { type ZipPart, zipOf } from './zip-file.ts'

const work = createFileWork(60_000)
afterAll(() => work.close())

const useFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-unpack-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const into = join(folder, 'into')
  mkdirSync(into)
  return { folder, into }
}

const hold = { signal: new AbortController().signal, progress: () => {} }

const unpackBytes = async (bytes: Uint8Array, kind: ContainerKind, limits?: UnpackLimits) => {
  const { folder, into } = useFolder()
  const file = join(folder, 'container')
  writeFileSync(file, bytes)
  const { files, warnings } = await work.unpack(
    { file, kind, size: bytes.length, into, ...(limits && { limits }) },
    hold,
  )
  return { files, warnings, folder, into, read: (path: string) => readFileSync(join(into, path)) }
}

const zip = (...parts: readonly (Partial<ZipPart> & { readonly name: string | Uint8Array })[]) =>
  zipOf(parts.map((part) => ({ bytes: Buffer.from('x'), ...part })))

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

describe('a container', () => {
  it.each([
    ['a.zip', 'zip'],
    ['A.ZIP', 'zip'],
    ['a.tar', 'tar'],
    ['a.tar.gz', 'tar.gz'],
    ['a.tgz', 'tar.gz'],
    ['a.tar.bz2', 'tar.bz2'],
    ['a.bz2', 'tar.bz2'],
    ['a.7z', undefined],
    ['zip', undefined],
  ])('%s is by its name a %s', (name, kind) => {
    expect(containerKind(name)).toBe(kind)
  })

  const parts = [
    { name: 'top.txt', bytes: 'top' },
    { name: 'deep/er/é.txt', bytes: 'deep' },
    { name: 'empty', bytes: '' },
  ]
  it.each(['zip', 'tar', 'tar.gz'] as const)(
    'of the kind %s is unpacked with its folders, sizes and digests',
    async (kind) => {
      const tar = await tarOf(parts)
      const bytes =
        kind === 'tar'
          ? tar
          : kind === 'tar.gz'
            ? gzipSync(tar)
            : zip(...parts.map(({ name, bytes }) => ({ name, bytes: Buffer.from(bytes) })), {
                name: 'folder/',
              })
      const { files, read } = await unpackBytes(bytes, kind)
      expect(files.map(({ path, size, sha256 }) => ({ path, size, sha256 }))).toEqual(
        parts.map(({ name, bytes }) => ({ path: name, size: bytes.length, sha256: sha256(bytes) })),
      )
      expect(read('deep/er/é.txt').toString()).toBe('deep')
    },
  )

  it('may be packed by bzip2', async () => {
    // Of Python's tarfile and bz2.
    const bytes = Buffer.from(
      'QlpoOTFBWSZTWbHM07IAAG97gMmAAAFAAc+AAQBmAF5ACAggAFQ0pppphNMNAaCSSeoepkAGgfdzJIQdOhCM66QNOLkCGBjmMnE7COJEFVb+qpsZ0Doh4GQJ7RNo/4iIDgu5IpwoSFjmadkA',
      'base64',
    )
    const { files, read } = await unpackBytes(bytes, 'tar.bz2')
    expect(files).toHaveLength(1)
    expect(read('deep/a.txt').toString()).toBe('deep')
    await expect(unpackBytes(bytes.subarray(0, 60), 'tar.bz2')).rejects.toThrow('it is no tar.bz2')
  })

  it('of GNU tar may call its files ./name', async () => {
    const { files } = await unpackBytes(
      await tarOf([
        { name: './', type: 'directory' },
        { name: './a', bytes: '1' },
      ]),
      'tar',
    )
    expect(files.map(({ path }) => path)).toEqual(['a'])
  })

  it.each([
    '../up',
    '/etc/passwd',
    'a/../../up',
    'C:\\up',
    '\\\\server\\up',
    '..\\up',
    'a\0b',
    'a/./b',
    `${'x'.repeat(256)}`,
  ])('ingest X8: is refused with the name %j, and nothing is written beside its folder', async (name) => {
    for (const [bytes, kind] of [
      [zip({ name }), 'zip'],
      [await tarOf([{ name, bytes: 'x' }]), 'tar'],
    ] as const) {
      const { folder, into } = useFolder()
      writeFileSync(join(folder, 'container'), bytes)
      const container = { file: join(folder, 'container'), kind, size: bytes.length, into }
      const files = await work.unpack(container, hold).catch((error: Error) => error.name)
      // A tar cannot hold some of these names: what was written is within.
      if (files !== 'UnusableContent') expect(kind).toBe('tar')
      expect(readdirSync(folder).sort()).toEqual(['container', 'into'])
      expect(existsSync('/etc/passwd.orig')).toBe(false)
    }
    await expect(unpackBytes(zip({ name }), 'zip')).rejects.toThrow('the name')
  })

  it.each(['symlink', 'link', 'character-device', 'fifo'] as const)(
    'ingest X8: a tar with a %s is refused',
    async (type) => {
      const bytes = await tarOf([
        { name: 'a', bytes: '1' },
        { name: 'b', type, linkname: '/etc/passwd' },
      ])
      await expect(unpackBytes(bytes, 'tar')).rejects.toThrow(/^it holds .*: b$/)
    },
  )

  it('ingest X8: a zip with a symbolic link, a device, a password or a method we do not know is refused', async () => {
    await expect(unpackBytes(zip({ name: 'l', mode: 0o120777 }), 'zip')).rejects.toThrow(
      'it holds a symbolic link: l',
    )
    await expect(unpackBytes(zip({ name: 'd', mode: 0o060644 }), 'zip')).rejects.toThrow(
      'something that is no file: d',
    )
    await expect(unpackBytes(zip({ name: 'e', encrypted: true }), 'zip')).rejects.toThrow(
      'it is encrypted: e',
    )
    await expect(unpackBytes(zip({ name: 'm', method: 14 }), 'zip')).rejects.toThrow('packed by method 14')
  })

  it('ingest X8: a sparse file is refused: what is written of it is not its content', async () => {
    const pax = {
      'GNU.sparse.major': '1',
      'GNU.sparse.minor': '0',
      'GNU.sparse.name': 'holes',
      'GNU.sparse.realsize': '9',
    }
    const bytes = await tarOf([{ name: 'GNUSparseFile.1/holes', bytes: '0\n', pax }])
    await expect(unpackBytes(bytes, 'tar')).rejects.toThrow('it holds a sparse file')
  })

  it('ingest X5: one name twice, or a file that is a folder, is refused', async () => {
    await expect(unpackBytes(zip({ name: 'a' }, { name: 'a' }), 'zip')).rejects.toThrow('two are named "a"')
    await expect(unpackBytes(zip({ name: 'a' }, { name: 'a/b' }), 'zip')).rejects.toThrow('"a/b"')
    await expect(unpackBytes(await tarOf([{ name: 'a/b' }, { name: 'a' }]), 'tar')).rejects.toThrow('"a"')
  })

  it('ingest X13: what is damaged, cut off, empty, or no container is refused', async () => {
    const whole = zip({ name: 'a', bytes: Buffer.from('x'.repeat(5000)) })
    const tar = await tarOf([{ name: 'a', bytes: 'x'.repeat(5000) }])
    const packed = gzipSync(tar)
    const flipped = Buffer.from(packed)
    flipped[packed.length - 6]! ^= 1
    for (const [bytes, kind] of [
      [whole.subarray(0, 100), 'zip'],
      [zip({ name: 'a', crc: 1 }), 'zip'],
      [zip({ name: 'a', size: 2 }), 'zip'],
      [Buffer.from('no zip'), 'zip'],
      [tar.subarray(0, 2000), 'tar'],
      // Cut where its file ends: the mark of its end is missing.
      [tar.subarray(0, 512 + 5120), 'tar'],
      [gzipSync(tar.subarray(0, 512 + 5120)), 'tar.gz'],
      [packed.subarray(0, packed.length - 10), 'tar.gz'],
      [flipped, 'tar.gz'],
      [Buffer.from('no tar'.repeat(200)), 'tar'],
      [Buffer.from('no bzip2'), 'tar.bz2'],
      [zipOf([]), 'zip'],
      [await tarOf([]), 'tar'],
    ] as const)
      await expect(unpackBytes(bytes, kind), `${kind} of ${bytes.length}`).rejects.toThrow(
        /^it (is no|holds no|ends|does not end)/,
      )
  })

  it('grows within bounds: by files, by bytes, by its own size', async () => {
    const zeros = zip({ name: 'zeros', bytes: Buffer.alloc(5_000_000) })
    const limits = { files: 10, bytes: 1e9, ratio: 1100 }
    expect((await unpackBytes(zeros, 'zip', limits)).files[0]?.size).toBe(5_000_000)
    await expect(unpackBytes(zeros, 'zip', { ...limits, ratio: 100 })).rejects.toThrow('which is not done')
    await expect(unpackBytes(zeros, 'zip', { ...limits, bytes: 4_000_000 })).rejects.toThrow(
      'which is not done',
    )
    const many = zip(...Array.from({ length: 11 }, (_, i) => ({ name: `${i}` })))
    await expect(unpackBytes(many, 'zip', limits)).rejects.toThrow('more than 10 files')
  })

  it('ends when it is stopped', async () => {
    const { folder, into } = useFolder()
    const bytes = zip({ name: 'a' })
    writeFileSync(join(folder, 'c'), bytes)
    const signal = AbortSignal.abort(new Error('stopped'))
    const container = { file: join(folder, 'c'), kind: 'zip', size: bytes.length, into } as const
    await expect(work.unpack(container, { ...hold, signal })).rejects.toThrow('stopped')
  })
})
