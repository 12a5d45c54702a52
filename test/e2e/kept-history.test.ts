import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { expect, it, onTestFinished } from 'vitest'
import { bindViews } from '../../src/app/bind-views.ts'
import { readConfig } from '../../src/app/config/config.ts'
import { openSystem } from '../../src/open-system.ts'
import { asOf } from '../../src/projections/runtime/as-of.ts'
import { catchUp } from '../../src/projections/runtime/catch-up.ts'
import { askHistory } from '../../src/projections/runtime/history.ts'
import { projectionsOf } from '../../src/workflows/workflow-model.ts'
import { useFolder } from './run-fonds.ts'

/* The log of test/fixtures/homes/f63f04c, and moments of it; nothing was taken in or indexed there. */
const moments = [1n, 60n, 150n, 400n, 10_000n]

const openKept = async () => {
  const { folder, home } = useFolder()
  execFileSync('tar', [
    '-xzf',
    join(import.meta.dirname, '../fixtures/homes/f63f04c/home.tar.gz'),
    '-C',
    folder,
  ])
  const config = readConfig({ home }, {})
  if (isLeft(config)) throw new Error(config.left.join(', '))
  const system = await openSystem(config.right)
  onTestFinished(system.close)
  await bindViews(system)
  return { system, projections: projectionsOf(system.workflows) }
}

it('page P61: as of any moment the past that views keep has the rows of views that are folded up to there', async () => {
  const { system, projections } = await openKept()
  const keeping = projections.filter(({ views }) => views.some(({ history }) => history))
  await catchUp({ ...system, projections: keeping })
  const compared = new Map<string, number>()
  for (const projection of keeping)
    for (const position of moments) {
      const folded = await asOf([projection], system, { position })
      await askHistory(
        projection,
        system,
        { position },
        async (views) => {
          for (const { name, history } of projection.views) {
            if (!history) continue
            const rows = folded.query(name, {})
            expect(views.query(name, {}), `${name} at ${position}`).toEqual(rows)
            expect(views.query(name, { limit: 10_000 }), `${name} at ${position}, a page`).toEqual(rows)
            compared.set(projection.name, (compared.get(projection.name) ?? 0) + rows.length)
          }
        },
        (why) => Promise.reject(new Error(why)),
      )
      folded.close()
    }
  const withRows = [...compared].flatMap(([name, rows]) => (rows > 0 ? [name] : []))
  expect(withRows.toSorted()).toEqual(['dead-letters', 'fixity', 'matching', 'research'])
})
