import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DownloadFailure } from '@fonds/download'
import { expect, it, onTestFinished } from 'vitest'
import { NoRoom } from '#src/async/machine-failure.ts'
import { WrongContent } from '#src/workers/ingest/fetch/wanted.ts'
import { createFileWork } from '#src/workers/ingest/files/file-work.ts'
import { md5, sha256, testFolder } from '../../workflows/ingest/ingest-world.ts'
import { zipOf } from './zip-file.ts'

const hold = { signal: new AbortController().signal, progress: () => {} }

const useFiles = (roomPercent?: number) => {
  const folder = testFolder()
  const files = createFileWork(60_000, 1, roomPercent)
  onTestFinished(() => files.close())
  const source = join(folder, 'source.txt')
  const url = pathToFileURL(source).href
  const to = join(folder, 'job/producer/a/source.txt')
  const beside = join(folder, 'job/parts/file-0')
  writeFileSync(source, 'bytes')
  const copy = { url, folders: undefined, to, beside, whole: false }
  return { folder, files, source, url, to, beside, copy }
}

it('I27 a file of this machine is copied and digested at once', async () => {
  const { files, copy, to } = useFiles()
  const digest = { algorithm: 'md5', value: md5('bytes') } as const
  expect(await files.copy({ ...copy, size: 5, digest }, hold)).toEqual({ size: 5, sha256: sha256('bytes') })
  expect(readFileSync(to, 'utf8')).toBe('bytes')
})

it('X22 what another worker began, or storage has a link to, is replaced and not written to', async () => {
  const { folder, files, copy, to, beside } = useFiles()
  mkdirSync(join(to, '..'), { recursive: true })
  writeFileSync(to, 'by')
  const linked = join(folder, 'linked')
  linkSync(to, linked)
  await files.copy(copy, hold)
  expect(readFileSync(to, 'utf8')).toBe('bytes')
  expect(readFileSync(linked, 'utf8')).toBe('by')
  expect(readdirSync(join(beside, '..'))).toEqual([])

  const list = join(folder, 'job/list')
  await files.write([{ path: list, parts: ['one', 'two'] }], hold)
  linkSync(list, join(folder, 'linked list'))
  await files.write([{ path: list, parts: ['three'] }], hold)
  expect(readFileSync(list, 'utf8')).toBe('three')
  expect(readFileSync(join(folder, 'linked list'), 'utf8')).toBe('onetwo')
})

it('X12 another digest or size is refused, and nothing of it is left', async () => {
  const { files, copy, to, beside } = useFiles()
  const digest = { algorithm: 'sha256', value: sha256('other') } as const
  await expect(files.copy({ ...copy, digest }, hold)).rejects.toThrow(WrongContent)
  expect(existsSync(to)).toBe(false)
  await expect(files.copy({ ...copy, size: 4 }, hold)).rejects.toThrow('has 5 bytes; 4 were announced')
  await expect(files.copy({ ...copy, whole: true, size: 4 }, hold)).rejects.toThrow(WrongContent)
  expect(readdirSync(join(beside, '..'))).toEqual([])
})

it('X11 a file that is not there, or that may not be read, is named', async () => {
  const { folder, files, copy } = useFiles()
  await expect(files.copy({ ...copy, url: `${copy.url}-away` }, hold)).rejects.toThrow(
    /source.txt-away is not there/,
  )
  mkdirSync(join(folder, 'allowed'))
  const refused = files.copy({ ...copy, folders: [join(folder, 'allowed')] }, hold)
  await expect(refused).rejects.toThrow(DownloadFailure)
  await expect(refused).rejects.toThrow('is not in a folder that may be read')
})

it('a large file says its progress, and ends when it is told to', async () => {
  const { files, source, copy } = useFiles()
  writeFileSync(source, Buffer.alloc(64 * 1024 ** 2))
  const stop = new AbortController()
  let heard = 0
  const progress = () => {
    heard++
    stop.abort(new Error('enough'))
  }
  // However fast the disk is: some copy is under way for long enough.
  await expect(
    (async () => {
      for (;;) await files.copy(copy, { signal: stop.signal, progress })
    })(),
  ).rejects.toThrow('enough')
  expect(heard).toBeGreaterThan(0)
})

it('X10 where nothing may be used of the disk, nothing is copied and unpacked, and what we write ourselves is', async () => {
  const { folder, files, copy, to } = useFiles(0)
  await expect(files.copy(copy, hold)).rejects.toBeInstanceOf(NoRoom)
  expect(existsSync(to)).toBe(false)
  const [file, into] = [join(folder, 'container.zip'), join(folder, 'unpacked')]
  const zip = zipOf([{ name: 'a.txt', bytes: Buffer.from('x') }])
  writeFileSync(file, zip)
  const container = { file, kind: 'zip', size: zip.length, into } as const
  await expect(files.unpack(container, hold)).rejects.toMatchObject({
    name: 'NoRoom',
    message: expect.stringContaining('0 % may be'),
  })
  await files.write([{ path: to, parts: ['ours'] }], hold)
  expect(readFileSync(to, 'utf8')).toBe('ours')
})
