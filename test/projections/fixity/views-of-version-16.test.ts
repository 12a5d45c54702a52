import * as E from 'fp-ts/lib/Either.js'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { views } from '#src/domain/fixity/views.ts'
import type { ViewShape } from '#src/domain/kernel/view.ts'
import type { ViewStore } from '#src/ports/view-store.ts'
import { itemQuestion } from '#src/projections/fixity/questions/item-question.ts'
import { misreadQuestion } from '#src/projections/fixity/questions/misread-question.ts'
import { period } from '#src/projections/fixity/questions/period-question.ts'
import { storesQuestion } from '#src/projections/fixity/questions/stores-question.ts'
import { fakeEventStore } from '../../fakes/event-store.ts'
import { openTestViews } from '../../fakes/views.ts'

/* Views of version 16, which had no column `unread` and no `lastAgreed`, answer until they are rebuilt. */

const added = new Set(['unread', 'lastAgreed'])
const asOfVersion16 = (shape: ViewShape): ViewShape => ({
  ...shape,
  columns: Object.fromEntries(Object.entries(shape.columns).filter(([name]) => !added.has(name))),
  indexes: (shape.indexes ?? []).map((columns) => columns.filter((name) => !added.has(name))),
})

const at = '2026-01-31T12:00:00.000Z'
const item = { store: 'main', folder: '', state: 'verified', outcome: 'success', removed: 0, revision: 0 }
let viewStore: ViewStore
beforeEach(() => {
  viewStore = openTestViews()
  onTestFinished(() => viewStore.close())
  const generation = viewStore.create('fixity', 16, views.map(asOfVersion16))
  viewStore.promote(generation)
  viewStore.fold(generation, -1n, { position: 0n, time: null }, (tables) => {
    tables['fixity-stores']?.put({
      store: 'main',
      kind: 'external',
      intervalDays: 90,
      awaySeconds: 1,
      words: {},
    })
    for (const path of ['a.txt', '\uFEFFa.txt'])
      tables['fixity-items']?.put({ ...item, path, lastChecked: at, lastVerified: at })
    tables['fixity-items']?.put({ ...item, path: '\uFEFFb.txt', state: 'failed' })
    tables['fixity-items']?.put({ ...item, path: 'b.txt', lastChecked: at, lastVerified: at })
    tables['fixity-bit-log']?.put({ store: 'main', path: 'a.txt', at, position: 1, result: 'SUCCESS' })
  })
})

const asking = { now: at, eventStore: fakeEventStore() } as never
const answered = async (answer: unknown) => {
  const found = (await answer) as E.Either<unknown, unknown>
  return E.isRight(found) ? found.right : expect.fail(JSON.stringify(found.left))
}

it('a period counts successes', async () => {
  const input = { since: '2026-01-01T00:00:00.000Z', until: '2026-02-01T00:00:00.000Z' }
  expect(await answered(period.ask(viewStore, input, asking))).toMatchObject({ successes: 1, unread: 0 })
})

it('an item has its checks', async () => {
  const input = { store: 'main', path: 'a.txt' }
  expect(await answered(itemQuestion.ask(viewStore, input, asking))).toMatchObject({
    state: 'verified',
    results: [{ result: 'SUCCESS', count: 1, unread: 0 }],
    checks: [{ result: 'SUCCESS', isUnread: false }],
  })
})

it('misread names are those that no check saw', async () => {
  expect(await answered(misreadQuestion.ask(viewStore, { store: 'main', limit: 10 }, asking))).toEqual({
    items: [{ store: 'main', path: '\uFEFFb.txt', misread: 'bom', file: 'b.txt' }],
  })
})

it('stores have their counts', async () => {
  expect(await answered(storesQuestion.ask(viewStore, { days: 1 }, asking))).toMatchObject({
    stores: [{ store: 'main', counts: { unread: 0 } }],
  })
})
