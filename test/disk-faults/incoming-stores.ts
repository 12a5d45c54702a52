import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { onTestFinished } from 'vitest'
import { makeBackup } from '#src/app/backup/make-backup.ts'
import { readConfig } from '#src/app/config/config.ts'
import { systemClock } from '#src/async/system-clock.ts'
import { createRemoteFiles } from '#src/workers/indexing/remote/remote-files.ts'
import { fileListOf, readFileList } from '#src/workers/ingest/file-list.ts'
import { writeFiles } from '#src/workers/ingest/files/write-files.ts'
import { dropOf, dropsIn, openDrop } from '#src/workers/ingest/submit/drop-area.ts'
import { writeEntry } from '#src/workers/ingest/unpack/write-entry.ts'
import { takeWorkFolder, workFolderOf } from '#src/workers/ingest/work-folder.ts'
import { createCache } from '#src/workers/research/media/cache.ts'
import { keepUpload } from '#src/workers/research/media/keep-upload.ts'
import { workflows } from '#src/workflows/all.ts'
import { textIn } from './archive-stores.ts'
import type { Store } from './each-call.ts'

/* Where bytes lie on their way in, and the copies that are made of them. */

const batch = '0b4a2f5e-4c1c-4f0b-9d59-3a1f0c9d7e21'
const limits = { files: 10, bytes: 1024 ** 2 }

async function* chunks(...texts: readonly (string | Buffer)[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text)
}

/** A second of silence, as sound. */
const wav = (): Buffer => {
  const head = Buffer.from(
    '524946460000000057415645666d74201000000001000100401f0000803e0000020010006461746100000000',
    'hex',
  )
  head.writeUInt32LE(16_036, 4)
  head.writeUInt32LE(16_000, 40)
  return Buffer.concat([head, Buffer.alloc(16_000)])
}

export const incomingStores: Readonly<Record<string, Store>> = {
  'a submission over HTTP': (folder) => ({
    act: async () => {
      await using drop = await openDrop(folder, batch, limits)
      await drop.write('a.txt', chunks('some', 'more'))
      await drop.write('b/c.txt', chunks('text'))
      if (!(await drop.keep())) throw new Error('other files are there')
    },
    seen: async () => {
      const drops = await dropsIn(folder)
      return drops.map((name) => ['a.txt', 'b/c.txt'].map((path) => textIn(join(dropOf(folder, name), path))))
    },
  }),
  'an uploaded clip': (folder) => {
    const clips = join(folder, 'clips')
    const sound = wav()
    return {
      act: () =>
        keepUpload(clips, chunks(sound.subarray(0, 9000), sound.subarray(9000)), {
          maxBytes: limits.bytes,
          takeRoom: () => undefined,
          mayKeep: () => undefined,
        }),
      seen: async () =>
        namesIn(clips)
          .filter((name) => !name.endsWith('.part'))
          .map((name) => [name, readFileSync(join(clips, name)).equals(sound)]),
    }
  },
  'a work folder that is taken over, and its lists': async (folder) => {
    const job = { batch, job: 1, fence: 2 }
    const before = workFolderOf(folder, { ...job, fence: 1 })
    mkdirSync(before.path, { recursive: true })
    writeFileSync(before.submissionManifest, 'as it came')
    const after = workFolderOf(folder, job)
    const file = { path: 'a.txt', size: 3, sha256: 'a'.repeat(64), from: '/a.txt' }
    return {
      act: async () => {
        await takeWorkFolder(folder, job)
        writeFiles([fileListOf(after.producerFiles, [file])])
      },
      // What came before is never lost, and a list that is not whole is none.
      seen: async () => [
        textIn(after.submissionManifest) ?? textIn(before.submissionManifest),
        await readFileList(after.producerFiles),
      ],
    }
  },
  'a file out of a container': (folder) => {
    const into = () => join(folder, `try-${tries++}`)
    let tries = 0
    let written: unknown
    return {
      act: async () => {
        const place = into()
        const entry = { path: 'a/b.txt', bytes: chunks('some', 'more') }
        const { size } = await writeEntry(place, entry, () => undefined)
        written = [size, textIn(join(place, 'a/b.txt'))]
      },
      seen: async () => written,
    }
  },
  'a copy of a file on a server': async (folder) => {
    const bytes = Buffer.alloc(100_000, 'bytes of a file; ')
    const server = createServer((_, answer) =>
      answer.writeHead(200, { etag: '"1"', 'content-length': bytes.length }).end(bytes),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const remote = createRemoteFiles({
      folder: join(folder, 'fetched'),
      hosts: undefined,
      stallMillis: 60_000,
      clock: { ...systemClock, sleep: async () => {} },
      tries: 1,
    })
    onTestFinished(async () => {
      await remote.close()
      server.closeAllConnections()
      server.close()
    })
    const location = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.warc`
    const hold = { signal: new AbortController().signal, progress: () => {} }
    let isWhole: boolean | undefined
    return {
      act: async () => {
        const look = await remote.stat({ location }, hold)
        if (E.isLeft(look)) return look
        const read = await remote.withCopy(look.right, hold, async (path) => readFileSync(path))
        if (!Buffer.isBuffer(read)) return E.left(read)
        isWhole = read.equals(bytes)
        return E.right(read.length)
      },
      seen: async () => isWhole,
    }
  },
  'decoded sound in the cache': (folder) => {
    const cache = createCache({
      folder,
      clock: systemClock,
      maxCached: 2 ** 30,
      maxHeld: 2 ** 31,
      restSeconds: 60,
    })
    const pcm = 'abc.pcm'
    writeFileSync(join(folder, pcm), Buffer.alloc(20))
    const entry = {
      uri: 'file:///a.wav',
      hash: 'h',
      bytes: 5,
      rate: 8000,
      samples: 10,
      pcm,
      checkedAt: '2026-01-01T00:00:00.000Z',
    }
    return { act: () => cache.put('abc', entry), seen: async () => cache.find('abc') }
  },
  'a backup': (folder) => {
    const home = join(folder, 'home')
    for (const path of ['storage/object', `drop/${batch}`, 'index/incoming'])
      mkdirSync(join(home, path), { recursive: true })
    for (const path of ['storage/object/a', `drop/${batch}/a.txt`, 'index/incoming/1'])
      writeFileSync(join(home, path), path)
    const read = readConfig(
      { home, eventStore: 'esdb://127.0.0.1:2113', broker: 'kafka://127.0.0.1:9092' },
      {},
    )
    if (E.isLeft(read)) throw new Error(read.left.join())
    const to = join(folder, 'backup')
    return {
      // One that has its name is whole, and is not made again.
      act: async () =>
        existsSync(to) ||
        makeBackup(to, {
          config: read.right,
          now: '2026-01-01T00:00:00.000Z',
          workflows,
          without: [],
          signal: new AbortController().signal,
          onBytes: () => {},
          onRemoved: () => {},
          onNotNoted: () => {},
          onPart: () => {},
        }),
      seen: async () =>
        existsSync(to) ? textIn(join(to, 'SHA256SUMS'))?.replace(/^.*backup\.json$/m, '') : undefined,
    }
  },
}

const namesIn = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder) : [])
