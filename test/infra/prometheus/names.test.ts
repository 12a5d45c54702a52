import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { waitUntilIdle } from '#src/app/wait-until-idle.ts'
import { folderOf, registerFolder, started, testSystem } from '../../app/archive.ts'
import { typeFaults } from '../type-faults.ts'
import { board, boardExpressions, rules, selectorsIn } from './expressions.ts'

/* Rules and board name nothing that `/metrics` does not have. */

const expressions = [...rules.map(({ expr }) => expr), ...boardExpressions()]

/** Names that Prometheus itself adds to a scrape. */
const ofPrometheus = new Set(['job', 'instance'])

describe('what an expression selects', () => {
  it.each([
    ['sum by (a, b) (rate(x_total{c="d",e!~"f and g"}[5m])) > 0 or vector(0)', [['x_total', ['c', 'e']]]],
    [
      'time() - max by (store) (y) > 1.5 * max(z{}) + 86400',
      [
        ['y', []],
        ['z', []],
      ],
    ],
    ['histogram_quantile(0.95, sum by (le) (rate(h_bucket[5m])))', [['h_bucket', []]]],
  ])('%s', (expression, selected) => {
    expect(selectorsIn(expression).map(({ name, labels }) => [name, labels])).toEqual(selected)
  })
})

it('each names metrics, and labels of them, that a running system shows', async () => {
  const system = await testSystem()
  await registerFolder(system, 'main', await folderOf({ 'a.txt': 'A' }))
  await started(system, ['processors', 'reactions', 'projections', 'workers'])
  await waitUntilIdle(system)
  const text = await system.metrics()
  const kinds = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, kind]) => [name, kind]))
  const names = [...kinds].flatMap(([name, kind]) =>
    kind === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  )
  for (const expression of expressions) {
    const selectors = selectorsIn(expression)
    expect(selectors.length, expression).toBeGreaterThan(0)
    for (const { name, labels } of selectors) {
      expect(names, expression).toContain(name)
      const [sample] = text.match(new RegExp(`^${name}\\{.*$`, 'm')) ?? []
      for (const label of labels.filter((one) => !ofPrometheus.has(one)))
        if (sample !== undefined) expect(sample, `${expression}: ${label}`).toContain(`${label}="`)
    }
  }
})

it('every metric of fixity and of what waits for people is in the rules or on the board', () => {
  const selected = new Set(expressions.flatMap(selectorsIn).map(({ name }) => name))
  for (const name of [
    'fonds_findings_open',
    'fonds_fixity_items',
    'fonds_tasks_parked',
    'fonds_dead_letters_waiting',
    'fonds_last_backup_timestamp_seconds',
    'fonds_sealed_differences',
    'fonds_lag',
  ])
    expect([...selected]).toContain(name)
})

describe('the board', () => {
  it('has panels that do not overlap, each with an id of its own', () => {
    const places = (board.panels ?? []).map(({ id, gridPos }) => ({ id, ...gridPos }))
    expect(new Set(places.map(({ id }) => id)).size).toBe(places.length)
    const cells = places.flatMap(({ x = 0, y = 0, w = 0, h = 0 }) => {
      expect(x + w).toBeLessThanOrEqual(24)
      return Array.from({ length: w * h }, (_, i) => `${x + (i % w)}/${y + Math.floor(i / w)}`)
    })
    expect(new Set(cells).size).toBe(cells.length)
  })

  it.each([
    ['a field that there is not', { ...board, panel: [] }, `'"panel"' does not exist`],
    ['a word of another list', { ...board, templating: { list: [{ type: 'table', name: 'x' }] } }, '"table"'],
    ['a wrong type', { ...board, tags: 'fonds' }, "'string' is not assignable"],
  ])("is refused by Grafana's own types for %s", async (_, wrong, error) => {
    expect(await boardFaults(wrong)).toEqual([expect.stringContaining(error)])
  })

  it('is what those types let be', async () => {
    expect(await boardFaults(board)).toEqual([])
  })
})

/** In JSON the members of an enumeration are their values. */
const boardFaults = async (given: object): Promise<readonly string[]> => {
  const source = `import type { Dashboard } from '${resolve('node_modules/@grafana/schema')}'
type Written<T> = T extends string ? \`\${T}\` : T extends object ? { [Key in keyof T]: Written<T[Key]> } : T
export const board: Written<Dashboard> = ${JSON.stringify(given)}
`
  return (await typeFaults(new Map([['board', source]]))).get('board') ?? []
}
