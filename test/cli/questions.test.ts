import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { birds } from '../fakes/birds.ts'
import { useFonds } from './fonds.ts'

const fonds = useFonds({ keepsHistory: true })
const ask = (...argv: string[]) => fonds.run(['birds', ...argv], { workflows: [birds] })
const read = (...argv: string[]) =>
  fonds.run(['birds', ...argv], { workflows: [birds], terminal: 100, env: { NO_COLOR: '1' } })

beforeEach(async () => {
  const store = ['do', 'fixity.register-store', 'store=reeds', 'kind=external']
  await fonds.run([...store, '--actor', 'ann', '--reason', 'a test'])
})

describe('a list that is declared', () => {
  test('is a table for people, rows for programs', async () => {
    expect((await read('flock')).out).toBe('bird   eggs\nheron     4\n=owl      2\n')
    expect((await ask('flock')).rows).toHaveLength(2)
    expect(JSON.parse((await ask('flock', '--format', 'json')).out)).toHaveLength(2)
    expect((await ask('flock', '--format', 'csv')).out).toMatch(/^bird,eggs,note\n/)
  })

  test('as CSV has its header without a row, too', async () => {
    expect((await ask('flock', '--least', '10', '--format', 'csv')).out).toBe('bird,eggs,note\n')
  })

  test('has no bounds here; of nothing it says so', async () => {
    const none = await read('flock', '--least', '10')
    expect([none.code, none.out]).toEqual([0, ''])
    expect(none.err).toContain('no bird lays so many')
    expect((await ask('flock', '--least', '-1')).code).toBe(2)
  })
})

describe('a question that is declared', () => {
  test('is sentences and remarks for people, the answer for programs', async () => {
    const { out, err } = await read('nest', 'reeds', '--loud')
    expect([out, err]).toEqual(['REEDS\n', 'do not disturb\n'])
    expect((await ask('nest', 'reeds')).rows).toMatchObject([{ store: 'reeds', season: 'spring' }])
    expect((await ask('nest', 'reeds', '--season', 'winter')).code).toBe(2)
    expect((await ask('nest')).code).toBe(2)
  })

  test('of what nobody knows: 1, with what may be meant; as of then', async () => {
    expect(await ask('nest', 'reed')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/nobody nests in reed\ndid you mean reeds/),
    })
    expect((await ask('nest', 'sky')).err).toContain('look in the reeds')
    expect((await ask('nest', 'reeds', '--as-of', '2000-01-01T00:00:00Z')).err).toContain(
      'as of 2000-01-01T00:00:00Z: nobody nests in reeds',
    )
  })

  test('what is alarming is told, and ends with 1', async () => {
    const { code, rows, err } = await ask('nest', 'reeds', '--season', 'autumn')
    expect([code, rows[0]?.season]).toEqual([1, 'autumn'])
    expect(err).toContain('it is empty')
  })

  test('a picture goes to a file by its name, or into a pipe', async () => {
    const file = join(fonds.folder, 'nest.svg')
    expect(await ask('nest', 'reeds', '--output', file)).toMatchObject({ code: 0, out: '' })
    expect(readFileSync(file, 'utf8')).toBe('<svg>reeds</svg>')
    expect((await ask('nest', 'reeds', '--format', 'svg')).out).toBe('<svg>reeds</svg>')
    expect((await read('nest', 'reeds', '--format', 'svg')).code).toBe(2)
    expect((await ask('nest', 'reeds', '--output', 'nest.png')).err).toContain('.svg')
  })

  test('takes name=value, and is not shared with anybody', async () => {
    expect((await ask('thorough', 'names=heron')).rows).toEqual([{ names: 'heron', isShared: false }])
    const { code, err } = await ask('thorough', 'name=heron')
    expect([code, err]).toEqual([2, expect.stringContaining('did you mean names?')])
  })

  test('help shows its fields and examples', async () => {
    const { out } = await ask('flock', '--help')
    for (const said of ['the birds that there are', '--least <n>', '--as-of <when>', '$ fonds birds …'])
      expect((await ask('--help')).out + out).toContain(said)
  })
})
