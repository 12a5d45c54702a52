import { spawnSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { defaultLayout, objectFolders } from '#infra/object-store/ocfl/layout.ts'
import type { System } from '../../../src/app/system.ts'
import { ensureTopics } from '../../../src/app/topics.ts'
import { orThrow } from '../../../src/async/unavailable.ts'
import { submissionsTopic } from '../../../src/domain/ingest/messages.ts'
import { batches, claims, jobs, localIds, objects, versions } from '../../../src/domain/ingest/views.ts'
import { writeMessage } from '../../../src/domain/kernel/cloud-event.ts'
import { rowsIfFolded } from '../../../src/domain/kernel/read-views.ts'
import { writeContent } from '../../e2e/archive.ts'
import { everything } from '../../e2e/crash/expectations.ts'
import { roundsOr, useSeed } from '../../e2e/crash/seed.ts'
import { openHome } from '../../e2e/open-home.ts'
import { ask, launch, until, useFolder } from '../../e2e/run-fonds.ts'
import { isAbsent, isValid, judgeObject, judgeRoot, judgeWhole } from './ocfl-judges.ts'

/*
 * Processes that take submissions in are killed at random moments, with real files. After each kill the whole storage root
 * is judged by rocfl; the others are stopped meanwhile, longer than some of their claims hold.
 */

const rounds = roundsOr(20)
const processes = 3
const letters = 12

describe.skipIf(isAbsent)('ingest', () => {
  it('killed at any moment: the storage root is valid, and each object is stored once, as its source is', async () => {
    const { chance } = useSeed()
    const { home, root } = useFolder()
    const system = await openHome(home)
    onTestFinished(() => system.close())
    await ensureTopics(system)
    const sources = await useSources(root)
    const storage = join(home, 'storage')
    const work = () =>
      launch(process.execPath, [join(import.meta.dirname, '../../e2e/crash/at-work.ts'), home])

    const workers = Array.from({ length: processes }, work)
    await submit(system, sources.ofRound(0))
    await until('storage is there', () => existsSync(storage))
    let kills = 0
    for (let round = 1; kills < rounds; round++) {
      await submit(system, sources.ofRound(round))
      // Mostly at work, sometimes while it starts.
      if (chance() < 0.8)
        await until('work', () => workers.every(({ stderr }) => stderr().includes('at work')))
      await setTimeout(chance() * 1500)
      const victims = workers.splice(0, 1 + Math.floor(chance() * processes))
      for (const { child } of victims) child.kill('SIGKILL')
      await Promise.all(victims.map(({ exit }) => exit))
      kills += victims.length
      for (const { child } of workers) child.kill('SIGSTOP')
      if (existsSync(storage)) expect(judgeRoot(storage), `after kill ${kills}`).toEqual(isValid)
      for (const { child } of workers) child.kill('SIGCONT')
      while (workers.length < processes) workers.push(work())
    }

    await until('every batch has come to its end', () => {
      const rows = rowsIfFolded(system.viewStore, batches, {})
      const isOver = rows.every(({ state, task }) => endStates.has(state) && task === null)
      return (
        rows.length === sources.submitted() &&
        isOver &&
        rowsIfFolded(system.viewStore, claims, {}).every(({ kind }) => kind === 'volume')
      )
    })
    for (const { child } of workers) child.kill('SIGKILL')
    await Promise.all(workers.map(({ exit }) => exit))

    const events = await everything(system)
    const expired = events.filter(({ type }) => type === 'ClaimExpired').length
    console.log(`${kills} kills; ${events.length} events; ${expired} claims of the killed`)
    expect(expired).toBeGreaterThan(0)
    expectJobs(system, sources.objects)
    expectBytes(system, storage, sources.objects)
    expect(judgeRoot(storage)).toEqual(isValid)
    expect(judgeWhole(storage).says).toContain('is VALID')
    expect(await ask(['ingest', 'audit'], { home })).toEqual([])
    const verdicts = await ask(['rebuild', '--all', '--verify'], { home })
    expect(verdicts.filter(({ verdict }) => verdict !== 'equal')).toEqual([])
  })
})

const endStates: ReadonlySet<string> = new Set(['completed', 'failed', 'deleted'])

/** What an object was submitted as: versions in their order, each with its files by path, and where their bytes are. */
interface Source {
  readonly localId: string
  readonly versions: number
  /** Of the latest version. */
  readonly files: ReadonlyMap<string, string>
}

interface Submitted {
  readonly url: string
  readonly type: string
  readonly localIds: readonly string[]
  readonly mode: 'add' | 'update'
}

/** Content on disk, and a server of it that is slow. */
const useSources = async (root: string) => {
  const server = createServer(async ({ url = '', method }, answer) => {
    const bytes = readFileSync(join(root, decodeURIComponent(url)))
    answer.writeHead(200, { 'content-length': bytes.length })
    if (method === 'HEAD') return answer.end()
    for (let at = 0; at < bytes.length && !answer.destroyed; at += 256 * 1024) {
      answer.write(bytes.subarray(at, at + 256 * 1024))
      await setTimeout(20)
    }
    answer.end()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await until('the server listens', () => server.listening)
  const { port } = server.address() as AddressInfo
  const found = new Map<string, Source>()
  let submitted = 0

  const write = (path: string, bytes: Buffer | string) => {
    writeContent(root, path, bytes)
    return pathToFileURL(join(root, path)).href
  }
  const batchOf = (round: number): Submitted => {
    const rows = Array.from({ length: letters }, (_, i) => {
      const path = `letters/${round}/${i}.txt`
      const localId = `letter ${round}-${i}`
      found.set(localId, { localId, versions: 1, files: new Map([[`${i}.txt`, path]]) })
      return `${write(path, `letter ${i} of round ${round}`)} | | | | | ${i}.txt | | ${localId} | | |`
    })
    const url = write(`batches/${round}.checkm`, manifest('mrt-single-file-batch-manifest', rows))
    return { url, type: 'single-file-batch-manifest', localIds: [], mode: 'add' }
  }
  /** A larger one over HTTP, and a small one. */
  const objectOf = (round: number): Submitted => {
    const names = ['film.bin', 'note.txt']
    const [film, note] = names.map((name) => `films/${round}/${name}`) as [string, string]
    write(film, Buffer.alloc(2 * 1024 ** 2, createHash('sha512').update(film).digest()))
    write(note, `a note on ${round}`)
    const rows = [film, note].map((path, i) => {
      const sum = createHash('sha256')
        .update(readFileSync(join(root, path)))
        .digest('hex')
      return `http://127.0.0.1:${port}/${path} | sha-256 | ${sum} | | | ${names[i]}`
    })
    const url = write(`films/${round}.checkm`, manifest('mrt-ingest-manifest', rows))
    const localId = `film ${round}`
    found.set(localId, {
      localId,
      versions: 1,
      files: new Map([
        ['film.bin', film],
        ['note.txt', note],
      ]),
    })
    return { url, type: 'manifest', localIds: [localId], mode: 'add' }
  }
  /** A file more for one object, round by round. */
  const updateOf = (round: number): Submitted => {
    const localId = 'diary'
    const path = `diary/${round}.txt`
    const { versions: before = 0, files = new Map() } = found.get(localId) ?? {}
    found.set(localId, { localId, versions: before + 1, files: new Map([...files, [`${round}.txt`, path]]) })
    return { url: write(path, `day ${round}`), type: 'file', localIds: [localId], mode: 'update' }
  }
  return {
    objects: found as ReadonlyMap<string, Source>,
    submitted: () => submitted,
    ofRound: (round: number): readonly Submitted[] => {
      const all = [batchOf(round), objectOf(round), updateOf(round)]
      submitted += all.length
      return all
    },
  }
}

const manifest = (profile: string, rows: readonly string[]): string =>
  [
    '#%checkm_0.7',
    `#%profile | http://uc3.cdlib.org/registry/ingest/manifest/${profile}`,
    ...rows,
    '#%eof\n',
  ].join('\n')

const submit = (system: System, all: readonly Submitted[]): Promise<unknown> => {
  const records = all.map(({ url, type, localIds, mode }) => {
    const batch = randomUUID()
    const data = { batch, profile: 'default', submitter: 'ada', mode, localIds, payload: { url, type } }
    const about = { id: batch, source: 'urn:test:depositor', type: 'batch.submitted' }
    return writeMessage({ ...about, time: new Date().toISOString(), data }, submissionsTopic)
  })
  return orThrow(system.broker.produce(records))
}

/** Every job is completed, every one stored its one version, every local id means one object and no other object is there. */
const expectJobs = ({ viewStore }: System, wanted: ReadonlyMap<string, Source>): void => {
  const rows = rowsIfFolded(viewStore, jobs, {})
  expect(
    rows
      .filter(({ state }) => state !== 'completed')
      .map(({ job, state, message }) => ({ job, state, message })),
  ).toEqual([])
  const stored = rowsIfFolded(viewStore, versions, {})
  expect(stored.map(({ job }) => job).toSorted((a, b) => a - b)).toEqual(
    rows.map(({ job }) => job).toSorted((a, b) => a - b),
  )
  const ids = rowsIfFolded(viewStore, localIds, {})
  expect(ids.map(({ localId }) => localId).toSorted()).toEqual([...wanted.keys()].toSorted())
  const arks = rowsIfFolded(viewStore, objects, {}).map(({ object }) => object)
  expect(arks.toSorted()).toEqual(ids.map(({ ark }) => ark).toSorted())
}

interface Inventory {
  readonly head: string
  readonly manifest: Readonly<Record<string, readonly string[]>>
  readonly versions: Readonly<Record<string, { readonly state: Readonly<Record<string, readonly string[]>> }>>
}

/** What another program says of the bytes of each file that a producer gave, at its source and in storage. */
const expectBytes = (
  { viewStore, config }: System,
  storage: string,
  wanted: ReadonlyMap<string, Source>,
): void => {
  const root = join(config.home, '../content')
  const pairs = rowsIfFolded(viewStore, localIds, {}).flatMap(({ localId, ark }) => {
    const source = wanted.get(localId)!
    const folder = join(storage, ...objectFolders(ark!, defaultLayout))
    const inventory: Inventory = JSON.parse(readFileSync(join(folder, 'inventory.json'), 'utf8'))
    expect({ localId, head: inventory.head }).toEqual({ localId, head: `v${source.versions}` })
    const files = Object.entries(inventory.versions[inventory.head]!.state).flatMap(([digest, paths]) =>
      paths.map((path) => [path, inventory.manifest[digest]![0]!] as const),
    )
    const given = files.filter(([path]) => path.startsWith('producer/'))
    expect(given.map(([path]) => path).toSorted()).toEqual(
      [...source.files.keys()].map((path) => `producer/${path}`).toSorted(),
    )
    if (source.versions > 1) expect(judgeObject(storage, ark!).code).toBe(0)
    return given.map(([path, content]) => ({
      stored: join(folder, content),
      source: join(root, source.files.get(path.slice('producer/'.length))!),
    }))
  })
  expect(sumsOf(pairs.map(({ stored }) => stored))).toEqual(sumsOf(pairs.map(({ source }) => source)))
}

const sumsOf = (paths: readonly string[]): readonly string[] => {
  const { status, stdout, stderr } = spawnSync('sha256sum', ['--zero', '--', ...paths], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  expect(status, stderr).toBe(0)
  return stdout
    .split('\0')
    .filter(Boolean)
    .map((line) => line.slice(0, 64))
}
