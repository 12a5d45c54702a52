import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { lockedPackages, nameAt, rootFile, runsOn } from './packages.ts'

/** Licences that ask for no more than to be named. */
const permissive = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT-0',
]

/** Others that we can live with, each for a reason that NOTICE gives. */
const noticed: Readonly<Record<string, string>> = { 'codec-parser': 'LGPL-3.0-or-later' }

/** Of all that Fonds runs on. */
const licences: ReadonlyMap<string, string> = new Map(
  runsOn(lockedPackages())
    .map((place) => [nameAt(place), lockedPackages()[place]?.license ?? 'none is said'] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1)),
)

const isPermissive = (expression: string): boolean =>
  expression
    .replace(/^\((.*)\)$/, '$1')
    .split(' AND ')
    .every((one) => permissive.includes(one))

it('every package that Fonds runs on has a licence that we know and can keep', () => {
  const others = [...licences].filter(([, licence]) => !isPermissive(licence))
  expect(Object.fromEntries(others)).toEqual(noticed)
})

it('NOTICE names those that ask for more', () => {
  const notice = readFileSync(rootFile('NOTICE'), 'utf8')
  for (const [name, licence] of Object.entries(noticed)) expect(notice).toContain(`${name} (${licence}`)
})

it('what the page holds has such a licence, and NOTICE names it', () => {
  const sources = globSync('**/*.{ts,tsx}', { cwd: rootFile('dashboard/src') }).map((name) =>
    readFileSync(rootFile(`dashboard/src/${name}`), 'utf8'),
  )
  const imported = sources.flatMap((text) => [...text.matchAll(/from '((?:@[^/']+\/)?[^./'][^/']*)/g)])
  // Fonds' own packages have its licence; what they bring along is in the lists above.
  const packages = new Set(
    imported.map(([, name = '']) => name).filter((name) => !name.startsWith('@fonds/')),
  )
  expect(packages).toContain('preact')
  for (const name of packages) {
    const { license } = lockedPackages()[`node_modules/${name}`] ?? {}
    expect(isPermissive(license ?? 'none is said'), name).toBe(true)
    expect(readFileSync(rootFile('NOTICE'), 'utf8')).toContain(`${name} (${license}`)
  }
})

it('docs/reference/licences.md lists them (npx vitest run test/infra/licences.test.ts -u writes it)', async () => {
  const rows = [...licences].map(([name, licence]) => `| ${name} | ${licence} |`)
  const page = `# Licences

What Fonds runs on, made from package-lock.json. [NOTICE](../../NOTICE) says more of those that ask for more.

| package | licence |
|---|---|
${rows.join('\n')}
`
  await expect(page).toMatchFileSnapshot(rootFile('docs/reference/licences.md'))
})

it('Fonds itself is licensed as LICENSE says', () => {
  expect(lockedPackages()['']?.license).toBe('Apache-2.0')
  expect(readFileSync(rootFile('LICENSE'), 'utf8')).toMatch(
    /Apache License\s+Version 2\.0[\s\S]*The Fonds authors/,
  )
})
