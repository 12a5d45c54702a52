import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { limits } from './patience.ts'

/** Milliseconds, among a test's options or behind it. */
const limit = /\btimeout: ([\d_]+)\b(?! \*)|^ *\}, ([\d_]{4,})\)$/g

/** Holds a database for a while, with SQLite's own limit. */
const own = (path: string) => !path.endsWith('e2e/research/freeze.ts')

it('no test has a limit of its own that a busy machine could run into', () => {
  const short = globSync(['test/**/*.ts', 'packages/*/test/**/*.ts'])
    .filter(own)
    .flatMap((path) =>
      readFileSync(path, 'utf8')
        .split('\n')
        .flatMap((line, at) =>
          [...line.matchAll(limit)]
            .filter(
              ([, option, argument]) => Number((option ?? argument)?.replaceAll('_', '')) < limits.timeout,
            )
            .map(() => `${path}:${at + 1} ${line.trim()}`),
        ),
    )
  expect(short).toEqual([])
})
