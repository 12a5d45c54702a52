import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { rootFile } from './packages.ts'

const stages = readFileSync(rootFile('Dockerfile'), 'utf8')
  .split(/^(?=FROM )/m)
  .slice(1)
const packages = globSync('packages/*/package.json', { cwd: rootFile('.') }).map((file) => dirname(file))

/** npm links a package of ours into node_modules where its package.json is, and fetches what that names. */
const lacksPackages = (stage: string): readonly string[] => {
  const before = stage.slice(0, stage.indexOf('RUN npm ci'))
  return packages.filter((folder) => !before.includes(`\nCOPY ${folder}/package.json ${folder}/\n`))
}

describe('the image', () => {
  it('installs with the package.json of each package', () => {
    const installing = stages.filter((stage) => stage.includes('RUN npm ci'))
    expect(installing).toHaveLength(2)
    expect(installing.map(lacksPackages)).toEqual(installing.map(() => []))
  })

  it('is built where the packages that build the page are installed', () => {
    const builds = stages.find((stage) => stage.includes('RUN npm run dashboard:build')) ?? ''
    const before = builds.slice(0, builds.indexOf('RUN npm ci'))
    expect(before).toContain('\nCOPY dashboard/package.json dashboard/\n')
  })

  it('holds what the npm package holds', () => {
    expect(stages.at(-1)).toContain('\nCOPY --from=built /opt/fonds/lib lib\n')
  })

  it('and a checkout, and what starts them, have a Node that the package takes: one with ML-DSA (Q26)', () => {
    const nodeOf = (file: string): string => {
      const { engines, dependencies } = JSON.parse(readFileSync(rootFile(file), 'utf8'))
      return (dependencies?.node ?? engines.node).replace(/^\D+/, '')
    }
    const least = nodeOf('package.json')
    const own = nodeOf('bin/package.json')
    expect(least).toBe('24.6')
    expect(nodeOf('packages/tlog/package.json')).toBe(least)
    expect(Number(own.split('.')[1])).toBeGreaterThanOrEqual(Number(least.split('.')[1]))
    const [major] = own.split('.')
    const froms = stages.map((stage) => stage.split('\n', 1)[0])
    expect(froms).toEqual(stages.map(() => expect.stringMatching(`^FROM (node:${major}-|built|packages)`)))
    const program = readFileSync(rootFile('bin/fonds'), 'utf8')
    expect(program).toContain(`needs Node ${least} or newer`)
    expect(program).toContain(`major < ${major} || (major === ${major} && minor < ${least.split('.')[1]})`)
    expect(readFileSync(rootFile('docs/proof.md'), 'utf8')).toContain(`Node ${least} is the first`)
  })
})
