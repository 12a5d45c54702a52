import { left, right } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { storageRootAt } from '#infra/object-store/ocfl/storage-root.ts'
import { storageStream } from '#src/domain/ingest/ids.ts'
import { objects } from '#src/domain/ingest/views.ts'
import type { StorageRoot } from '#src/ports/storage-root.ts'
import type { Unavailable } from '#src/ports/unavailable.ts'
import type { ViewStore } from '#src/ports/view-store.ts'
import { createStorageGuard } from '#src/processors/ingest/storage-guard.ts'
import { done, useRoot, versionOf } from '../../infra/object-store/root-folder.ts'
import { deciding } from '../deciding.ts'

type Known = readonly { readonly object: string; readonly version: number }[]

/** A log that was written before roots had ids: it knows these objects, and its root holds some. */
const rootOf = async (known: Known, held: readonly string[]) => {
  const world = deciding()
  const { root, open, file } = useRoot()
  const store = await open()
  for (const object of held) await done(store.write(versionOf(object, 0, [file('a', object)])))
  const viewStore = {
    query: (name: string) => (name === objects.name ? known : []),
    shape: () => objects,
  } as unknown as ViewStore
  const deps = {
    ...world,
    eventStore: { head: () => async () => right(0n) },
    viewsReach: async () => {},
    viewStore,
    objectStore: async () => store,
    worker: 'ingest@node-1',
  }
  const guardAt = (storageRoot: StorageRoot) => createStorageGuard({ ...deps, storageRoot })
  const guard = (folder = root) => guardAt(storageRootAt(folder))
  return { ...world, root, guard, guardAt, adoptions: () => world.eventsOf(storageStream) }
}

const two = [
  { object: 'ark:/99999/1', version: 1 },
  { object: 'ark:/99999/2', version: 1 },
]

describe('a storage root of before', () => {
  it('is adopted at the first start that finds in it what the log knows', async () => {
    const { root, guard, adoptions } = await rootOf(two, ['ark:/99999/1', 'ark:/99999/2', 'ark:/99999/3'])
    expect(await guard().refusalSoFar()).toBeUndefined()
    expect(await guard().isAdopted()).toBe(false)
    expect(await adoptions()).toEqual([])
    expect(await guard().refusal()).toBeUndefined()
    const [adopted] = await adoptions()
    expect(adopted?.data).toMatchObject({ folder: root })
    expect(await guard().refusal()).toBeUndefined()
    expect(await guard().isAdopted()).toBe(true)
    const { root: others } = useRoot()
    expect(await guard(others).isAdopted()).toBe(false)
    expect(await adoptions()).toHaveLength(1)
  })

  it.each([
    ['lacks an object', two, ['ark:/99999/1'], /ark:\/99999\/2, which the log knows, is not there/],
    [
      'lacks a version',
      [{ object: 'ark:/99999/1', version: 2 }],
      ['ark:/99999/1'],
      /has version 1 there, and the log knows version 2/,
    ],
    ['is empty', two, [], /no object in .*, and the log knows stored ones/],
    ['is of others', [], ['ark:/99999/1'], /holds objects, and the log knows of none/],
  ])('is not, where it %s', async (_, known, held, says) => {
    const { guard, adoptions } = await rootOf(known, held)
    const one = guard()
    expect(await one.refusal()).toMatch(says)
    expect(one.last()).toMatch(says)
    expect(await adoptions()).toEqual([])
  })

  it('a check that takes long does not replace the result of one that began after it', async () => {
    const { root, guardAt, guard } = await rootOf(two, ['ark:/99999/1', 'ark:/99999/2'])
    expect(await guard().refusal()).toBeUndefined()
    const storageRoot = storageRootAt(root)
    const asked = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<ReturnType<typeof left<Unavailable>>>()
    let inspections = 0
    const inspect = () => {
      inspections += 1
      if (inspections > 1) return storageRoot.inspect()
      asked.resolve()
      return () => answered.promise
    }
    const one = guardAt({ ...storageRoot, inspect })
    const first = one.refusalSoFar()
    await asked.promise
    expect(await one.isAdopted()).toBe(true)
    answered.resolve(left({ kind: 'Unavailable', reason: 'its volume is not mounted' }))
    expect(await first).toBe('its volume is not mounted')
    expect(one.last()).toBeUndefined()
  })
})

describe('two nodes with a storage of their own each', () => {
  it('one root is adopted, and the other node is told to share it', async () => {
    const { root, guard, adoptions } = await rootOf([], [])
    const { root: others } = useRoot()
    expect(await guard().refusal()).toBeUndefined()
    expect(await guard(others).refusal()).toMatch(
      new RegExp(`there is no storage root at ${others}.*adopted as ${root}.*set FONDS_INGEST_STORAGE`),
    )
    expect(await adoptions()).toHaveLength(1)
  })

  it('at the same moment, too', async () => {
    const { guard, adoptions } = await rootOf([], [])
    const answers = await Promise.all([guard().refusal(), guard(useRoot().root).refusal()])
    expect(answers.filter((answer) => answer === undefined)).toHaveLength(1)
    expect(answers.find((answer) => answer !== undefined)).toMatch(/is the storage root .* set FONDS_/)
    expect(await adoptions()).toHaveLength(1)
  })
})
