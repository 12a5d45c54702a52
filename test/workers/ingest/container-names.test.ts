import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { createFileWork } from '#src/workers/ingest/files/file-work.ts'
import { testFolder } from '../../workflows/ingest/ingest-world.ts'
import { rawTarOf } from './tar-file.ts'
import { type ZipPart, zipOf } from './zip-file.ts'

const work = createFileWork(60_000)
afterAll(() => work.close())

const hold = { signal: new AbortController().signal, progress: () => {} }

const namesIn = async (bytes: Uint8Array, kind: 'zip' | 'tar'): Promise<readonly string[]> => {
  const folder = testFolder()
  const file = join(folder, 'container')
  writeFileSync(file, bytes)
  const into = join(folder, 'into')
  try {
    return (await work.unpack({ file, kind, size: bytes.length, into }, hold)).files.map(({ path }) => path)
  } finally {
    rmSync(into, { recursive: true, force: true })
  }
}

const latin1 = Buffer.from([0xe9, 0x2e, 0x74])
const utf8 = Buffer.from('é.t')
const body = Buffer.from('x')

describe('X8 the name of a file in a tar', () => {
  const pax = (text: string | Buffer) => {
    const rest = Buffer.concat([Buffer.from(' path='), Buffer.from(text as string), Buffer.from('\n')])
    const record = Buffer.concat([Buffer.from(`${rest.length + 2}`), rest])
    return { name: 'pax', type: 'x', bytes: record }
  }
  const gnu = (name: Buffer) => ({
    name: '././@LongLink',
    type: 'L',
    bytes: Buffer.concat([name, Buffer.alloc(1)]),
  })

  it.each([
    ['is UTF-8', [{ name: utf8 }], 'é.t'],
    ['is U+FFFD itself, where that is what the tar has', [{ name: '\uFFFD.t' }], '\uFFFD.t'],
    ['begins with what looks like the mark of a text', [{ name: '\uFEFFa' }], '\uFEFFa'],
    ['is in the header before it, of pax', [pax('é.txt'), { name: latin1 }], 'é.txt'],
    ['is in the header before it, of GNU tar', [gnu(utf8), { name: latin1 }], 'é.t'],
    ['has its folders in another field', [{ name: 'b', prefix: 'a/é' }], 'a/é/b'],
    ['keeps its backslashes', [{ name: 'a\\b' }], 'a\\b'],
  ])('%s', async (_, parts, path) => {
    expect(await namesIn(rawTarOf(parts.map((part) => ({ bytes: body, ...part }))), 'tar')).toEqual([path])
  })

  it.each([
    ['in its field', [{ name: latin1 }]],
    ['in the other field', [{ name: 'b', prefix: latin1 }]],
    ['of pax', [pax(latin1), { name: 'a' }]],
    ['of GNU tar', [gnu(latin1), { name: 'a' }]],
    ['of a folder', [{ name: Buffer.from([0xe9, 0x2f]), type: '5', bytes: Buffer.alloc(0) }]],
  ])('fails the job where it is no UTF-8, %s', async (_, parts) => {
    const bytes = rawTarOf([
      { name: 'first', bytes: body },
      ...parts.map((part) => ({ bytes: body, ...part })),
    ])
    await expect(namesIn(bytes, 'tar')).rejects.toThrow(
      /^the name ".*é.*" \(its bytes read as Latin-1\) is no UTF-8, .*; rename it and pack it again$/,
    )
  })
})

it('X8 a path of 1,700 folders is unpacked; one that cannot be stored is refused by name', async () => {
  const long = (folders: number) => {
    const path = `${'a/'.repeat(folders)}f`
    return rawTarOf([
      { name: 'long', type: 'L', bytes: Buffer.from(`${path}\0`) },
      { name: 'f', bytes: body },
    ])
  }
  expect(await namesIn(long(1700), 'tar')).toEqual([`${'a/'.repeat(1700)}f`])
  await expect(namesIn(long(1800), 'tar')).rejects.toThrow(
    /^the name "a\/a\/.*" has more than 3500 bytes, with which it cannot be stored$/,
  )
})

describe('X8 the name of a file in a zip', () => {
  const repeated = (of: Buffer, name: string) => {
    const sum = Buffer.alloc(4)
    sum.writeUInt32LE(crc32(of))
    const data = Buffer.concat([Buffer.from([1]), sum, Buffer.from(name)])
    const head = Buffer.alloc(4)
    head.writeUInt16LE(0x7075)
    head.writeUInt16LE(data.length, 2)
    return Buffer.concat([head, data])
  }
  const msDos = { madeOn: 0 }
  const dosName = Buffer.from([0x82, 0x2e, 0x74])

  it.each<readonly [string, Partial<ZipPart> & Pick<ZipPart, 'name'>, string]>([
    ['is UTF-8 where the zip says so', { name: utf8, utf8: true }, 'é.t'],
    ['is UTF-8 where the zip says so, of Windows', { name: utf8, utf8: true, ...msDos }, 'é.t'],
    ['is UTF-8 where the zip says nothing', { name: utf8 }, 'é.t'],
    ['is UTF-8 where the zip says nothing, of old Java', { name: utf8, ...msDos }, 'é.t'],
    ['is said once more', { name: dosName, extra: repeated(dosName, 'ж.t') }, 'ж.t'],
    ['is not that of another file', { name: dosName, ...msDos, extra: repeated(utf8, 'ж.t') }, 'é.t'],
    ['is of MS-DOS, with letters that its code pages share', { name: dosName, ...msDos }, 'é.t'],
    ['of Windows may have backslashes for slashes', { name: 'a\\b', ...msDos }, 'a/b'],
    ['of others keeps its backslashes', { name: 'a\\b' }, 'a\\b'],
    ['is U+FFFD itself, where that is what the zip has', { name: '\uFFFD', utf8: true }, '\uFFFD'],
  ])('%s', async (_, part, path) => {
    expect(await namesIn(zipOf([{ bytes: body, ...part }]), 'zip')).toEqual([path])
  })

  it.each<readonly [string, Partial<ZipPart> & Pick<ZipPart, 'name'>]>([
    ['which the zip says it is', { name: latin1, utf8: true }],
    ['nor anything else that the zip says', { name: latin1 }],
    ['nor the same in the code pages of MS-DOS', { name: latin1, ...msDos }],
  ])('fails the job where it is no UTF-8, %s', async (_, part) => {
    await expect(namesIn(zipOf([{ bytes: body, ...part }]), 'zip')).rejects.toThrow(
      'the name "é.t" (its bytes read as Latin-1) is no UTF-8, and the zip does not say what else; pack it again',
    )
  })
})
