import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { idTableSql } from '#infra/views/sqlite/ids.ts'
import { querySql } from '#infra/views/sqlite/query-sql.ts'
import { indexSql, tableSql } from '#infra/views/sqlite/shape.ts'
import type { RecordedEvent } from '#src/domain/kernel/event.ts'
import type { Row, Value, ViewQuery, Views } from '#src/domain/kernel/view.ts'
import type { Table } from '#src/ports/view-store.ts'
import { matching } from '#src/projections/matching/projection.ts'
import { compareGenerations } from '#src/projections/matching/questions/compare-generations.ts'
import { componentAnswer } from '#src/projections/matching/questions/component.ts'
import { history } from '#src/projections/matching/questions/history.ts'
import { quality } from '#src/projections/matching/questions/quality.ts'
import { oldestWaiting, stuck } from '#src/projections/matching/questions/stuck.ts'
import { summary } from '#src/projections/matching/questions/summary.ts'
import { whatIf } from '#src/projections/matching/questions/what-if.ts'
import { why } from '#src/projections/matching/questions/why.ts'
import { catalogue, t } from './catalogue.ts'
import { folded } from './folding.ts'
import { chain, expectJoined } from './pieces.ts'

const { views } = matching

/** Tables in memory that count the rows written to each. */
const countingTables = () => {
  const written = new Map<string, number>()
  const table = ({ name, key }: (typeof views)[number]): Table => {
    const held = new Map<string, Row>()
    const keyOf = (values: readonly unknown[]) => JSON.stringify(values)
    const count = () => written.set(name, (written.get(name) ?? 0) + 1)
    return {
      get: (...values: readonly Value[]) => held.get(keyOf(values)),
      put: (row) => {
        count()
        held.set(keyOf(key.map((column) => row[column])), row)
      },
      delete: (...values) => {
        count()
        held.delete(keyOf(values))
      },
    }
  }
  const tables = Object.fromEntries(views.map((shape) => [shape.name, table(shape)]))
  return {
    /** Rows written by these events, in all and by view. */
    fold: (events: readonly RecordedEvent[]): { readonly all: number; of(view: string): number } => {
      written.clear()
      for (const event of events) matching.apply(event, tables)
      const counts = new Map(written)
      return {
        all: [...counts.values()].reduce((sum, count) => sum + count, 0),
        of: (view) => counts.get(view) ?? 0,
      }
    },
  }
}

describe('large components', () => {
  it('a new title in a component of 650 writes few rows', () => {
    const log = catalogue()
    for (const [i, id] of chain(650).entries()) log.say(id, { links: chain(650).slice(i + 1, i + 2) })
    log.flush()
    const tables = countingTables()
    tables.fold(log.events)
    const before = log.events.length
    log.say('w00300', { links: ['w00301'], title: 'New' })
    log.flush()
    const written = tables.fold(log.events.slice(before))
    expect(written.of('matching-members')).toBe(1)
    expect(written.all).toBeLessThanOrEqual(6)
  })

  it('one that grows a work at a time writes as much for each', () => {
    const log = catalogue()
    const tables = countingTables()
    let before = 0
    const step = (id: string, link: string | undefined) => {
      log.say(id, { links: link ? [link] : [] })
      log.flush()
      const { all } = tables.fold(log.events.slice(before))
      before = log.events.length
      return all
    }
    const rows = chain(200).map((id, i) => step(id, chain(200)[i - 1]))
    expect(Math.max(...rows.slice(100))).toBeLessThanOrEqual(Math.max(...rows.slice(0, 10)))
  })

  it('a change weighs what its members do, so that no transaction grows with the catalogue', () => {
    const log = catalogue()
    for (const id of chain(30)) log.say(id)
    log.flush()
    expect(log.events.map((event) => matching.weigh?.(event))).toEqual([...Array(30).fill(1), 31])
    const [first] = log.events
    expect(matching.weigh?.({ ...first!, type: 'GraphChanged', data: null })).toBe(1)
  })

  it('700 works, in pieces, parted and joined again', () => expectJoined(700, 70))
})

describe('questions', () => {
  it('are answered by indexes: none reads all rows of a view, or of a generation', async () => {
    const all = folded()
    for (const [id, links] of Object.entries({ A: ['B', 'P'], B: ['C'], C: [], D: ['A'], X: [] }))
      all.log.say(id, { links })
    all.log.flush()
    all.log.merge()
    all.log.say('C', { state: 'deleted' })
    all.log.flush()
    const asked = new Map<string, { view: string; query: ViewQuery }>()
    const store: Views = {
      query: (view, query) => {
        const kinds = query.where?.map(({ column, is }) => column + is)
        asked.set(JSON.stringify([view, kinds, query.orderBy]), { view, query })
        return all.views.query(view, query)
      },
      tally: (view, tally) => all.views.tally(view, tally),
    }
    componentAnswer(store, 'A')
    why(store, 'A', 'D')
    why(store, 'A', 'X')
    history(store, 'B')
    whatIf(store, { kind: 'drop', from: 'A', to: 'B' })
    stuck(store, t(999))
    oldestWaiting(store)
    quality(store)
    summary(store)
    await compareGenerations(store, 1, 2)

    const db = new DatabaseSync(':memory:')
    db.exec(idTableSql(1))
    for (const shape of views) for (const sql of [tableSql(shape, 1), ...indexSql(shape, 1)]) db.exec(sql)
    const plans = [...asked.values()].map(({ view, query }) => {
      const { sql, values } = querySql(views.find(({ name }) => name === view)!, 1, query)
      const steps = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values)
      return { sql, plan: steps.map(({ detail }) => detail).join('; ') }
    })
    db.close()
    expect(plans.length).toBeGreaterThan(15)
    // There are only a few generations, and only a few sizes.
    const small = /matching-(generations|sizes)__/
    for (const { sql, plan } of plans.filter((one) => !small.test(one.plan))) {
      expect(plan, sql).toMatch(/^SEARCH/)
      expect(plan, sql).not.toMatch(/TEMP B-TREE/)
      // In order and up to a limit, a generation may be read from its end.
      if (!/LIMIT/.test(sql)) expect(plan, sql).not.toMatch(/\(generation=\?\)/)
    }
  })
})
