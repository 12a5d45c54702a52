import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { lockedPackages, rootFile } from './packages.ts'

const scripts: Readonly<Record<string, string>> = manifest.scripts
const isLeftOut = (name: string) => lockedPackages()[`node_modules/${name}`]?.dev === true

describe('npm install', () => {
  it('leaves out what only tests, lint and benches need', () => {
    expect(readFileSync(rootFile('.npmrc'), 'utf8')).toMatch(/^omit=dev$/m)
    for (const name of ['vitest', 'typescript', '@biomejs/biome', 'testcontainers', 'playwright-core'])
      expect([name, isLeftOut(name)]).toEqual([name, true])
  })

  it('brings Node, and what builds the page', () => {
    for (const name of ['node', 'vite', 'preact']) expect([name, isLeftOut(name)]).toEqual([name, false])
    expect(scripts.prepare).toContain('dashboard/prepare.mjs')
  })
})

it('each script that needs more fetches it first', () => {
  const needy = [
    'check',
    'test:integration',
    'soak',
    'format',
    'bench',
    'dashboard:types',
    'dashboard:pictures',
  ]
  for (const name of needy)
    expect([name, scripts[`pre${name}`]]).toEqual([name, 'node infra/local/dev-packages.ts'])
  expect(scripts.test).toMatch(/^npm run --silent check &&/)
  const others = Object.entries(scripts).filter(([name]) => !needy.includes(name) && name !== 'test')
  expect(others.filter(([, script]) => /vitest|biome|tsc|playwright/.test(script))).toEqual([])
})
