import { left, right } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import type { ContentEntry, ContentFailure, ContentStore } from '#src/ports/content-store.ts'
import { findStore } from '#src/workers/fixity/find-store.ts'

const recorded = ['a', 'b']
const viewStore = {
  query: () => recorded.map((path) => ({ path, recordedAt: '2026-01-01T00:00:00.000Z', state: 'verified' })),
}
const entry = { path: 'a' } as ContentEntry
const denied = 'permission denied; give the user that runs Fonds access to it'

/** Looks for a store each of whose items answers so. */
const look = (answer: (path: string) => ContentFailure | undefined, isEmpty = false) =>
  findStore(
    {
      viewStore: viewStore as never,
      openContent: () =>
        ({
          stat: (path: string) => async () => {
            const failure = answer(path)
            return failure ? left(failure) : right(entry)
          },
          async *list() {
            if (!isEmpty) yield { kind: 'skipped', skipped: { path: '.', reason: denied } }
          },
        }) as unknown as ContentStore,
    },
    'main',
    '/archive',
  )

describe('a store of which nothing is found', () => {
  it('says permission denied where its folder may not be read, not that it holds something else', async () => {
    for (const kind of ['Unreadable', 'Machine'] as const) {
      const found = await look((path) => ({ kind, path, reason: denied }))
      expect(found).toMatchObject({
        isThere: false,
        why: `/archive cannot be listed: ${denied}`,
        isUnreadable: true,
        isEmpty: false,
      })
    }
  })

  it('holds something else where what is recorded is missing', async () => {
    const found = await look((path) => ({ kind: 'NotFound', path }))
    expect(found).toMatchObject({ isUnreadable: false, why: expect.stringContaining('holds something else') })
  })

  it('is empty where nothing stands there', async () => {
    const found = await look((path) => ({ kind: 'NotFound', path }), true)
    expect(found).toMatchObject({ isUnreadable: false, isEmpty: true })
  })
})

it('a store is there where one item is found, though others may not be read', async () => {
  const found = await look((path) =>
    path === 'b' ? undefined : { kind: 'Unreadable', path, reason: denied },
  )
  expect(found).toMatchObject({ isThere: true, witness: 'b' })
})

it('a folder that may not even be opened is unreadable, and has not vanished', async () => {
  const found = await findStore(
    {
      viewStore: viewStore as never,
      openContent: () => {
        throw new Error(`content store /archive: ${denied}`, {
          cause: Object.assign(new Error('EACCES'), { code: 'EACCES', syscall: 'realpath' }),
        })
      },
    },
    'main',
    '/archive',
  )
  expect(found).toMatchObject({
    isThere: false,
    isUnreadable: true,
    hasNoFolder: false,
    why: expect.stringContaining('permission denied'),
  })
})
