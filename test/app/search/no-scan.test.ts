import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { idTableSql } from '#infra/views/sqlite/ids.ts'
import { querySql } from '#infra/views/sqlite/query-sql.ts'
import { indexSql, tableSql } from '#infra/views/sqlite/shape.ts'
import { wordSql, wordTableSql } from '#infra/views/sqlite/words.ts'
import { search } from '#src/app/search/search.ts'
import type { ViewQuery } from '#src/domain/kernel/view.ts'
import type { ViewStore } from '#src/ports/view-store.ts'
import { projectionsOf } from '#src/workflows/workflow-model.ts'
import { openTestSystem } from '../../fakes/system.ts'
import { archive, plant } from './planted.ts'

it('every query of a search is answered by an index: no scan, and no sort of what was found', async () => {
  const system = await openTestSystem()
  const projections = projectionsOf(system.workflows)
  plant(system.viewStore, projections, archive)
  const asked = new Map<string, { readonly view: string; readonly query: ViewQuery }>()
  const words = new Set<string>()
  const viewStore = {
    ...system.viewStore,
    query: (view: string, query: ViewQuery) => {
      asked.set(`${view} ${JSON.stringify(query)}`, { view, query })
      return system.viewStore.query(view, query)
    },
    withWord: (...of: Parameters<ViewStore['withWord']>) => {
      words.add(of[0])
      return system.viewStore.withWord(...of)
    },
  }
  const texts = [
    'm',
    'main/letters',
    '/srv/archive/l',
    '7',
    '12',
    'ark:/99999/',
    'ab'.repeat(8),
    'l',
    'h3',
    'n0ne',
    'e',
    'c',
  ]
  for (const text of texts)
    await search({ ...system, viewStore }, { text, limit: 20, signal: new AbortController().signal })
  await system.close()

  const db = new DatabaseSync(':memory:')
  db.exec(idTableSql(1))
  const shapes = projections.flatMap(({ views }) => views)
  for (const shape of shapes) for (const sql of [tableSql(shape, 1), ...indexSql(shape, 1)]) db.exec(sql)
  for (const shape of shapes) if (shape.words) db.exec(wordTableSql(shape, 1))
  const planOf = ({ sql, values }: ReturnType<typeof querySql>) =>
    db
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...values)
      .map(({ detail }) => detail)
      .join('; ')
  const shapeOf = (view: string) => shapes.find(({ name }) => name === view)!
  const plans = [...asked.values()].map(({ view, ...one }) => {
    const query = querySql(shapeOf(view), 1, one.query)
    return { view, sql: query.sql, plan: planOf(query) }
  })
  for (const view of words) {
    const query = wordSql(shapeOf(view), 1, 'a', { limit: 10, hasText: true })
    plans.push({ view: `${view}, words`, sql: query.sql, plan: planOf(query) })
  }
  db.close()
  expect([...words].sort()).toEqual(
    shapes
      .filter((shape) => shape.words)
      .map(({ name }) => name)
      .sort(),
  )
  expect(plans.length).toBeGreaterThan(100)
  expect(new Set(plans.map(({ view }) => view)).size).toBeGreaterThan(15)
  // A hundred stores at most are read, in the order of their names.
  for (const { sql, plan } of plans.filter(
    ({ sql }) => !/^SELECT .*FROM "fixity-stores__1" ORDER/.test(sql),
  )) {
    expect(plan, sql).toMatch(/^SEARCH/)
    expect(plan, sql).not.toMatch(/TEMP B-TREE/)
  }
})
