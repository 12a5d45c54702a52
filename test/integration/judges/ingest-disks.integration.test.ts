import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FormData, fetch } from 'undici'
import { describe, expect, it, onTestFinished } from 'vitest'
import { jobStream } from '#src/domain/ingest/ids.ts'
import { archiveOverHttp } from '../../e2e/ingest/archive-over-http.ts'
import { ask, type Line, startServer, stop, until, useFolder } from '../../e2e/run-fonds.ts'
import { fileServer } from '../../workflows/ingest/ingest-world.ts'
import { isAbsent, isValid, judgeObject, judgeRoot } from './ocfl-judges.ts'

/* Disks that are full or say no (ingest X17, X10), as small file systems of their own, which only root may make. */

const megabyte = 1024 ** 2
const isRoot = process.getuid?.() === 0

/** A disk of so many MiB, mounted at that folder. */
const mountDisk = (at: string, megabytes: number) => {
  mkdirSync(at, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', at])
  onTestFinished(() => void execFileSync('umount', ['-l', at]))
  return {
    remount: (options: string) => execFileSync('mount', ['-o', `remount,${options}`, at]),
  }
}

const bytesOf = (length: number): Buffer => randomBytes(length)

describe.skipIf(!isRoot || isAbsent)('X17: a storage root', () => {
  it('that is full, read-only or damaged keeps a job waiting, and where it is damaged fails it, with what to do; the root stays valid, and the job goes on', async () => {
    const { home, root } = useFolder()
    const storage = join(home, 'storage')
    const disk = mountDisk(storage, 24)
    const given = { home, env: { FONDS_INGEST_FOLDERS: root } }
    const server = await startServer(given)
    const archive = archiveOverHttp(server.address)
    const folder = (name: string, ...files: readonly Buffer[]) => {
      mkdirSync(join(root, name))
      for (const [i, bytes] of files.entries()) writeFileSync(join(root, name, `${name}-${i}.bin`), bytes)
      return join(root, name)
    }
    const jobOf = async (batch: string): Promise<Line> => {
      await archive.batchIs(batch, 'completed', 'failed')
      const [{ job }] = await archive.jobsOf(batch)
      return archive.get(`jobs/${job}`)
    }
    /** It waits, and says for what. */
    const waits = async (batch: string, what: string): Promise<Line> => {
      const [{ job }] = await until('there is a job', async () => {
        const jobs = await archive.jobsOf(batch)
        return jobs.length > 0 && jobs
      })
      return archive.jobWhen(
        job,
        `waits: ${what}`,
        ({ state, putOffFor }) => state === 'storing' && String(putOffFor).includes(what),
      )
    }
    const completed = async (job: number, version = 1): Promise<Line> => {
      const done = await archive.jobWhen(job, 'is completed', ({ state }) => state === 'completed')
      expect(done).toMatchObject({ version })
      expect(judgeRoot(storage)).toMatchObject(isValid)
      expect(judgeObject(storage, done.ark)).toMatchObject({ code: 0 })
      return done
    }

    // Full: three times ten megabytes on a disk of 24.
    const large = Array.from({ length: 3 }, () => bytesOf(10 * megabyte))
    const full = await waits(await archive.submit(folder('large', ...large)), 'the disk is full; make room')
    expect(full).toMatchObject({ version: null })
    expect(judgeRoot(storage)).toMatchObject(isValid)
    expect(bytesIn(storage)).toBeLessThan(megabyte)
    // What is small goes on meanwhile.
    const small = await jobOf(await archive.submit(folder('small', Buffer.from('small'))))
    expect(small).toMatchObject({ state: 'completed' })
    disk.remount('size=64m')
    await completed(full.job)
    const stored = readdirSync(storage, { recursive: true, encoding: 'utf8' })
    for (const [i, bytes] of large.entries()) {
      const place = stored.find((path) => path.endsWith(`v1/content/producer/large-${i}.bin`))
      expect(readFileSync(join(storage, place!)).equals(bytes)).toBe(true)
    }

    // Read-only.
    disk.remount('ro')
    const later = folder('later', Buffer.from('later'))
    const refused = await waits(await archive.submit(later), 'the disk is mounted read-only')
    disk.remount('rw')
    await completed(refused.job)

    // Damaged by hand.
    const inventory = stored
      .map((path) => join(storage, path))
      .find(
        (path) =>
          path.endsWith('/inventory.json') &&
          !path.includes('/v1/') &&
          readFileSync(path, 'utf8').includes(small.ark),
      )!
    const before = readFileSync(inventory)
    writeFileSync(inventory, before.subarray(0, 100))
    const update = { mode: 'update', primary: small.ark }
    const damaged = await jobOf(await archive.submit(folder('more', Buffer.from('more')), update))
    expect(damaged).toMatchObject({ state: 'failed', permanent: false })
    expect(damaged.message).toContain(`storage cannot take ${small.ark}`)
    writeFileSync(inventory, before)
    await archive.command('resume-job', { job: damaged.job })
    await completed(damaged.job, 2)

    expect(await stop(server)).toBe(0)
    expect(await ask(['ingest', 'audit'], given)).toEqual([])
  })
})

it.runIf(isRoot)(
  'X17: a storage root that is read-only when a process comes to it keeps jobs waiting, and says so; they go on by themselves',
  async () => {
    const { home, root } = useFolder()
    const disk = mountDisk(join(home, 'storage'), 8)
    const given = { home, env: { FONDS_INGEST_FOLDERS: root } }
    const submitted = async (archive: ReturnType<typeof archiveOverHttp>, name: string) => {
      writeFileSync(join(root, name), name)
      return archive.submit(join(root, name))
    }
    const before = await startServer(given)
    const first = archiveOverHttp(before.address)
    await first.batchIs(await submitted(first, 'a.txt'), 'completed')
    expect(await stop(before)).toBe(0)

    disk.remount('ro')
    const server = await startServer(given)
    const archive = archiveOverHttp(server.address)
    const batch = await submitted(archive, 'b.txt')
    const [{ job }] = await until('there is a job', async () => {
      const jobs = await archive.jobsOf(batch)
      return jobs.length > 0 && jobs
    })
    const waiting = await archive.jobWhen(job, 'waits', ({ putOffFor }) => putOffFor !== null)
    expect(waiting).toMatchObject({ state: 'storing', version: null })
    expect(waiting.putOffFor).toMatch(
      /^storage: the disk is mounted read-only; mount it for writing, .*storage/,
    )
    disk.remount('rw')
    await archive.batchIs(batch, 'completed')
    expect(await stop(server)).toBe(0)
  },
)

describe.skipIf(!isRoot || isAbsent)('X10: a work volume', () => {
  it('that fills while a job downloads keeps it waiting; nothing of it is stored, others go on, and it completes once there is room', async () => {
    const { home } = useFolder()
    const work = join(home, 'ingest-work')
    const disk = mountDisk(work, 24)
    const film = bytesOf(40 * megabyte)
    // Nobody says how large it is, so that it is taken to be small.
    const { address } = await fileServer({
      'film.bin': (response, { method }) =>
        method === 'HEAD' ? response.writeHead(405).end() : response.writeHead(200).end(film),
      'small.txt': 'small',
    })
    const server = await startServer({
      home,
      env: { FONDS_INGEST_UNKNOWN_BYTES: '1000', FONDS_INGEST_HOSTS: '127.0.0.1' },
    })
    const archive = archiveOverHttp(server.address)
    const batch = await archive.submit(`${address}/film.bin`)
    const [{ job }] = await until('there is a job', async () => {
      const jobs = await archive.jobsOf(batch)
      return jobs.length > 0 && jobs
    })
    const waiting = await archive.jobWhen(job, 'waits', ({ putOffFor }) => putOffFor !== null)
    expect(waiting).toMatchObject({ state: 'downloading', version: null, ark: null })
    expect(waiting.putOffFor).toContain('there is no room for')
    await archive.batchIs(await archive.submit(`${address}/small.txt`), 'completed')
    expect(judgeRoot(join(home, 'storage'))).toMatchObject(isValid)

    disk.remount('size=160m')
    const done = await archive.jobWhen(job, 'is completed', ({ state }) => state === 'completed')
    expect(done).toMatchObject({ version: 1 })
    const storage = join(home, 'storage')
    expect(judgeRoot(storage)).toMatchObject(isValid)
    const place = readdirSync(storage, { recursive: true, encoding: 'utf8' }).find((path) =>
      path.endsWith('film.bin'),
    )
    expect(readFileSync(join(storage, place!)).equals(film)).toBe(true)
    expect(await stop(server)).toBe(0)
  })
})

it.runIf(isRoot)(
  'X1: a drop area that is full takes no files, and keeps none; there is room for smaller ones',
  async () => {
    const { home } = useFolder()
    mountDisk(join(home, 'drop'), 4)
    const server = await startServer({ home })
    const send = (bytes: Buffer) => {
      const form = new FormData()
      form.append('profile', 'default')
      form.append('submitter', 'ada')
      form.append('file', new Blob([new Uint8Array(bytes)]), 'film.bin')
      return fetch(`${server.address}/api/v1/ingest/submissions`, { method: 'POST', body: form })
    }
    const refused = await send(bytesOf(8 * megabyte))
    expect(refused.status).toBe(507)
    expect(await refused.json()).toMatchObject({
      code: 'disk-refuses',
      detail: expect.stringContaining('there is no room for'),
    })
    expect(bytesIn(join(home, 'drop'))).toBe(0)
    const taken = await send(bytesOf(megabyte))
    expect(taken.status).toBe(202)
    const { batch } = (await taken.json()) as Line
    await archiveOverHttp(server.address).batchIs(batch, 'completed')
    expect(await stop(server)).toBe(0)
  },
)

it.runIf(isRoot)(
  'X10: a body without an end takes the disk that holds the log not beyond its threshold; log and others go on, and it waits without an event',
  async () => {
    const { home } = useFolder()
    const disk = 512
    const threshold = 0.8 * disk
    // Each of the two that write has looked at the room for one piece that is not there yet; no piece is larger near the threshold.
    const inFlight = 2 * 1
    // What Fonds writes itself goes on beyond it: log and views, each with a WAL of 4 MiB and what it grows by meanwhile.
    const ownWrites = 2 * (4 + 4)
    mountDisk(home, disk)
    let chunks = 0
    const { address } = await fileServer({
      'endless.bin': (response, { method }) => {
        if (method === 'HEAD') return response.writeHead(405).end()
        const more = () => {
          chunks++
          if (response.write(Buffer.alloc(64 * 1024))) setImmediate(more)
          else response.once('drain', more)
        }
        response.on('error', () => {})
        response.writeHead(200)
        return more()
      },
      'small.txt': 'small',
    })
    let peak = 0
    const look = () => {
      const { blocks, bavail, bsize } = statfsSync(home)
      peak = Math.max(peak, ((blocks - bavail) * bsize) / megabyte)
    }
    const looking = setInterval(look, 2)
    onTestFinished(() => clearInterval(looking))
    const server = await startServer({
      home,
      env: {
        FONDS_INGEST_UNKNOWN_BYTES: '1000',
        FONDS_INGEST_HOSTS: '127.0.0.1',
      },
    })
    const archive = archiveOverHttp(server.address)
    const batch = await archive.submit(`${address}/endless.bin`)
    const [{ job }] = await until('there is a job', async () => {
      const jobs = await archive.jobsOf(batch)
      return jobs.length > 0 && jobs
    })
    await until('it came to the threshold', async () => peak > threshold - 2 * ownWrites)
    await archive.batchIs(await archive.submit(`${address}/small.txt`), 'completed')
    const waiting = await archive.jobWhen(job, 'waits', ({ putOffFor }) => putOffFor !== null)
    expect(waiting).toMatchObject({ state: 'downloading', retryCount: 0 })
    expect(waiting.putOffFor).toContain('of it arrived and are not kept')
    await archive.batchIs(await archive.submit(`${address}/small.txt`), 'completed')
    expect((chunks * 64) / 1024).toBeGreaterThan(0.9 * threshold)
    const events = await ask(['events', '--stream', jobStream(job)], { home })
    expect(events.filter(({ type }) => type === 'ClaimReleased').map(({ data }) => data.reason)).toEqual([
      waiting.putOffFor,
    ])
    expect(await ask(['doctor'], { home })).toContainEqual(
      expect.objectContaining({ check: 'put off', says: expect.stringContaining(waiting.putOffFor) }),
    )
    expect(peak).toBeLessThan(threshold + inFlight + ownWrites)
    expect(await stop(server)).toBe(0)
  },
)

/** Of all files below. */
const bytesIn = (folder: string): number =>
  existsSync(folder)
    ? Number(execFileSync('du', ['-sb', '--apparent-size', folder]).toString().split('\t')[0]) -
      folderBytes(folder)
    : 0

/** What the folders themselves count for. */
const folderBytes = (folder: string): number =>
  execFileSync('find', [folder, '-type', 'd', '-printf', '%s\n'])
    .toString()
    .split('\n')
    .reduce((sum, size) => sum + Number(size), 0)
