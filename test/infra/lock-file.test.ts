import { expect, it } from 'vitest'
import { type LockedPackages, lockedPackages, wantedBy } from './packages.ts'

/** Each dependency that the lock names and does not hold: `npm ci` fails on it, on every machine. */
const unlocked = (packages: LockedPackages): readonly string[] =>
  Object.entries(packages).flatMap(([place, { version, dependencies, optionalDependencies }]) =>
    Object.entries({ ...dependencies, ...optionalDependencies })
      .filter(([name]) => wantedBy(packages, place, name) === undefined)
      .map(([name, wanted]) => `${place || 'package.json'}@${version} wants ${name}@${wanted}`),
  )

it('all that the lock names is locked, for every platform', () => {
  expect(unlocked(lockedPackages())).toEqual([])
})

it('a package without one of its platforms is found, wherever it lies', () => {
  const wants = { version: '1.0.0', optionalDependencies: { 'tool-mac': '1.0.0', 'tool-linux': '1.0.0' } }
  expect(
    unlocked({
      '': {},
      'node_modules/tool-linux': {},
      'node_modules/a/node_modules/tool': wants,
      'node_modules/a/node_modules/tool-mac': {},
      'node_modules/tool': wants,
    }),
  ).toEqual(['node_modules/tool@1.0.0 wants tool-mac@1.0.0'])
})
