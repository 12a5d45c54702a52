import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'

const imports = /(?:\bfrom|\bimport\(|\bimport) ?'(\.{1,2}\/[^']+)'/g

/** The files that a file imports by their paths. */
const importsOf = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(imports)].map(([, specifier = '']) =>
    posix.join(posix.dirname(file), specifier),
  )

/**
 * The suites of `npm test` that hold properties: those that import `runs.ts`, directly or through other files of tests.
 * The project `properties` of the integration suite runs them.
 */
export const propertyTests = (): string[] => {
  const files = globSync(['test/**/*.ts', 'packages/*/test/**/*.ts']).map((file) => ({
    file,
    targets: importsOf(file),
  }))
  const reached = new Set(['test/runs.ts'])
  for (const target of reached)
    for (const { file, targets } of files) if (targets.includes(target)) reached.add(file)
  return [...reached].filter((file) => /(?<!\.integration)\.test\.ts$/.test(file)).sort()
}
