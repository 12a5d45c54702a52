import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultLayout, objectFolders } from '@fonds/ocfl/layout'
import { expect } from 'vitest'
import { batches, claims, jobs, localIds, objects, versions } from '../../../src/domain/ingest/views.ts'
import { rowsIfFolded } from '../../../src/domain/kernel/read-views.ts'
import type { Views } from '../../../src/domain/kernel/view.ts'
import type { Files } from './sources.ts'

/* What must be so when all that was handed in has come to its end, whatever was killed meanwhile. */

const endStates: ReadonlySet<string> = new Set(['completed', 'failed', 'deleted'])

/** So many batches were handed in: each has come to its end, and nobody works. */
export const isOver = (views: Views, submitted: number): boolean => {
  const rows = rowsIfFolded(views, batches, {})
  return (
    rows.length === submitted &&
    rows.every(({ state, task }) => endStates.has(state) && task === null) &&
    rowsIfFolded(views, claims, {}).every(({ kind }) => kind === 'volume')
  )
}

interface Wanted {
  /** Files of each object, by the URL of its payload. */
  readonly objects: ReadonlyMap<string, Files>
  readonly localIds: ReadonlySet<string>
}

/** Every job is completed, every one stored its one version; every local id means one object, and no other object is there. */
export const expectJobs = (views: Views, wanted: Wanted): void => {
  const rows = rowsIfFolded(views, jobs, {})
  const ended = rows.map(({ job, state, message }) => ({ job, state, message }))
  expect(ended.filter(({ state }) => state !== 'completed')).toEqual([])
  expect(rows.map(({ payload }) => payload.url).toSorted()).toEqual([...wanted.objects.keys()].toSorted())
  const stored = rowsIfFolded(views, versions, {})
  const numbers = (all: readonly { readonly job: number | null }[]) =>
    all.map(({ job }) => job ?? 0).toSorted((a, b) => a - b)
  expect(numbers(stored)).toEqual(numbers(rows))
  const ids = rowsIfFolded(views, localIds, {})
  expect(ids.map(({ localId }) => localId).toSorted()).toEqual([...wanted.localIds].toSorted())
  const arks = new Set(rows.map(({ ark }) => ark))
  expect(
    rowsIfFolded(views, objects, {})
      .map(({ object }) => object)
      .toSorted(),
  ).toEqual([...arks].toSorted())
}

interface Inventory {
  readonly head: string
  readonly manifest: Readonly<Record<string, readonly string[]>>
  readonly versions: Readonly<Record<string, { readonly state: Readonly<Record<string, readonly string[]>> }>>
}

/** What another program says of the bytes of each file that a producer gave, at its source and in each version in storage. */
export const expectBytes = (views: Views, storage: string, wanted: Wanted['objects']): void => {
  const byJob = new Map(rowsIfFolded(views, jobs, {}).map((row) => [row.job, row]))
  const ofObjects = Map.groupBy(rowsIfFolded(views, versions, {}), ({ object }) => object)
  const pairs = [...ofObjects].flatMap(([object, stored]) => {
    const folder = join(storage, ...objectFolders(object, defaultLayout))
    const inventory: Inventory = JSON.parse(readFileSync(join(folder, 'inventory.json'), 'utf8'))
    expect({ object, head: inventory.head }).toEqual({ object, head: `v${stored.length}` })
    let files: Files = new Map()
    return stored
      .toSorted((one, other) => one.version - other.version)
      .flatMap(({ version, job, mode }) => {
        const own = wanted.get(byJob.get(job ?? 0)!.payload.url)!
        files = new Map([...(mode === 'update' ? files : []), ...own])
        const given = producerFiles(inventory, version)
        expect([...given.keys()].toSorted(), `${object} ${version}`).toEqual([...files.keys()].toSorted())
        return [...given].map(([path, content]) => [join(folder, content), files.get(path)!] as const)
      })
  })
  expect(sumsOf(pairs.map(([stored]) => stored))).toEqual(sumsOf(pairs.map(([, source]) => source)))
}

/** Where their bytes are in the object. */
const producerFiles = ({ versions: all, manifest }: Inventory, version: number): Files =>
  new Map(
    Object.entries(all[`v${version}`]!.state).flatMap(([digest, paths]) =>
      paths
        .filter((path) => path.startsWith('producer/'))
        .map((path) => [path.slice('producer/'.length), manifest[digest]![0]!] as const),
    ),
  )

const sumsOf = (paths: readonly string[]): readonly string[] => {
  const input = paths.map((path) => `${path}\0`).join('')
  const { status, stdout, stderr } = spawnSync('xargs', ['-0', 'sha256sum', '--zero', '--'], {
    input,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  expect(status, stderr).toBe(0)
  return stdout
    .split('\0')
    .filter(Boolean)
    .map((line) => line.slice(0, 64))
}
