import { globSync, readFileSync } from 'node:fs'
import { expect, inject, it } from 'vitest'
import { propertyTests } from './property-tests.ts'
import { runs } from './runs.ts'

const text = (file: string): string => readFileSync(file, 'utf8')

/** Those that only the integration suite has are run in full in any case. */
const exclude = ['**/*.integration.test.ts', 'test/runs.test.ts']
const files = globSync(['test/**/*.ts', 'packages/*/test/**/*.ts'], { exclude })

it('properties have a quarter of their runs in npm test, but five at least, and all in the integration suite', () => {
  expect([3, 12, 100, 1001].map(runs)).toEqual(inject('allRuns') ? [3, 12, 100, 1001] : [3, 5, 25, 251])
})

it('no property has a number of runs but by runs(); a sample of fixed values may', () => {
  const setsItself = (line: string) => /numRuns(?!: runs\()/.test(line) && !line.includes('fc.sample(')
  const found = files.flatMap((file) =>
    text(file)
      .split('\n')
      .filter(setsItself)
      .map((line) => `${file}: ${line.trim()}`),
  )
  expect(found).toEqual([])
})

it('the project `properties` has each suite that calls runs(), itself or in a file that it imports', () => {
  const found = propertyTests()
  const suites = files.filter((file) => file.endsWith('.test.ts'))
  expect(found).toEqual(expect.arrayContaining(suites.filter((file) => /\bruns\(\d/.test(text(file)))))
  // Its properties are in test/contracts/view-store/.
  expect(found).toContain('test/infra/views/sqlite/view-store.test.ts')
})
