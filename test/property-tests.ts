import { globSync, readFileSync } from 'node:fs'
import { specifiersOf, targetOf } from './walls.ts'

/**
 * The suites of `npm test` that hold properties: those that import `runs.ts`, directly or through other files of tests.
 * The project `properties` of the integration suite runs them.
 */
export const propertyTests = (): string[] => {
  const files = globSync(['test/**/*.ts', 'packages/*/test/**/*.ts']).map((file) => ({
    file,
    targets: specifiersOf(readFileSync(file, 'utf8')).map((specifier) => targetOf(file, specifier)),
  }))
  const reached = new Set(['test/runs.ts'])
  for (const target of reached)
    for (const { file, targets } of files) if (targets.includes(target)) reached.add(file)
  return [...reached].filter((file) => /(?<!\.integration)\.test\.ts$/.test(file)).sort()
}
