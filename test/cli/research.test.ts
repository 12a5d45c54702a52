import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { defaultPolicy } from '#src/domain/research/policy/policy.ts'
import { writeLog } from '../fakes/matching-log.ts'
import { programme } from '../fakes/research-programme.ts'
import { useFonds } from './fonds.ts'

const fonds = useFonds({ keepsHistory: true })
const write = (log = programme()) => fonds.withSystem((system) => writeLog(system, log))
const ask = (...argv: string[]) => fonds.run(['research', ...argv])
const read = (...argv: string[]) =>
  fonds.run(['research', ...argv], { terminal: 160, env: { NO_COLOR: '1' } })

const lists: readonly (readonly [list: string, line: RegExp, row: object, csv: string])[] = [
  ['episodes', /^E2 +The episode E2 +parked +3 +0 +0 +3 +0$/m, { episode: 'E2', open: 3 }, 'episode,title,'],
  ['clips', /^g +A gurgle +open +0 +1 +1 +1 +2$/m, { clip: 'k', open: 2 }, 'clip,title,priority,'],
  ['leases', /^L1 +E1 +taken +ada +3 +2 +1 /m, { researcher: 'ada' }, 'lease,episode,'],
  [
    'researchers',
    /^ada +busy +1 +2 +1 +0 +2026-01-01T00:00:\d\dZ$/m,
    { researcher: 'bob' },
    'researcher,state,',
  ],
  ['capacity', /^2026-01-01T00:00:10Z +1 +2 +-1 +1 +Added 1 item; /m, { position: -1 }, 'number,at,'],
  [
    'parked',
    /^episode +E2 +5 +answered 404 +fonds do research\.retry episode=E2/m,
    { episode: 'E2' },
    'subject,',
  ],
  [
    'anomalies',
    /^unknown-clip +1 +2026-01-01T00:00:11Z +bob reported/m,
    { kind: 'no-lease' },
    'kind,episode,',
  ],
]

describe('lists', () => {
  test.each(lists)('fonds research %s: for people, for programs, as it was', async (list, line, row, csv) => {
    await write()
    expect((await read(list)).out).toMatch(line)
    expect((await ask(list)).rows).toContainEqual(expect.objectContaining(row))
    const sheet = (await ask(list, '--format', 'csv')).out
    expect(sheet.startsWith(csv)).toBe(true)
    const [first = '', ...others] = sheet.trimEnd().split('\n')
    expect(others.length).toBe((await ask(list)).rows.length)
    expect(first).not.toContain('undefined')
    expect(JSON.parse((await ask(list, '--format', 'json')).out)).toHaveLength(others.length)
    expect((await ask(list, '--limit', '1')).rows).toHaveLength(1)
    expect((await ask(list, '--as-of', '2020-01-01T00:00:00Z')).rows).toEqual([])
    expect((await ask(list, '--as-of', 'noon')).code).toBe(2)
    expect((await ask(list, '--limit', '0')).code).toBe(2)
  })

  test('a column of a later row is not lost in a spreadsheet', async () => {
    const log = programme()
    log.lease('E2', 'L0', ['g'])
    await write(log)
    const [head, ...rows] = (await ask('leases', '--format', 'csv')).out.split('\n')
    expect(head).toContain('researcher')
    expect(rows.join()).toContain('ada')
  })

  test('X7: what is pinned is first, as it is handed out', async () => {
    const log = programme()
    log.onEpisode('E1', 'Pinned', { reason: 'wanted' })
    await write(log)
    expect((await ask('episodes')).rows.map(({ episode }) => episode)).toEqual(['E1', 'E2'])
  })

  test.each([
    ['progress', 'nothing to listen to yet; `fonds research add episodes'],
    ['episodes', '`fonds research add episodes'],
    ['clips', '`fonds research add clips'],
    ['leases', '`fonds research next --explain`'],
    ['researchers', '`fonds worker researcher`'],
    ['capacity', '`fonds start`'],
    ['parked', 'nothing is parked'],
    ['anomalies', 'nothing odd has happened'],
    ['findings', '`fonds research progress`'],
    ['next', 'nobody has curated an episode yet'],
  ])('an empty home, asked for %s, says so', async (question, says) => {
    const { code, out, err } = await read(question)
    expect(code).toBe(0)
    expect(out + err).toContain(says)
    expect((await ask(question)).code).toBe(0)
  })
})

describe('fonds research progress', () => {
  test('is a bar and numbers; as it was', async () => {
    await write()
    const { out } = await read('progress')
    expect(out).toContain('33.3 %\n2 episodes × 3 clips: 2 of 6 pairs researched, 1 under lease, 3 open\n')
    expect(out).toContain('0 episodes done; clips found in 1 pair\n')
    expect(out).toContain('1 parked, with no next try until a person retries it:\n  episode E2, since ')
    expect((await ask('progress')).rows).toMatchObject([{ pairs: 6, researched: 2 }])
    expect((await ask('progress', '--as-of', '9')).rows).toMatchObject([{ researched: 1, leased: 2 }])
    expect((await read('progress', '--as-of', '2')).out).toContain(
      '2 episodes and 0 clips: nothing to look for yet; `fonds research add clips <folder>`',
    )
  })
})

describe('X3: fonds research findings', () => {
  test('of words, of an episode, of a clip', async () => {
    await write()
    const { out } = await read('findings', '--clip', 'g')
    expect(out).toMatch(/^E1 +The first +1:00\.0 +g +A gurgle +0\.900 +https:\S+#t=60$/m)
    expect(out).toMatch(/ 29:14\.2 /)
    for (const argv of [['GURG'], ['--episode', 'E1'], []])
      expect((await ask('findings', ...argv)).rows).toHaveLength(2)
    expect((await ask('findings', '--clip', 'g', '--as-of', '8')).rows).toEqual([])
    expect((await ask('findings', '--format', 'csv')).out).toMatch(/^episode,episodeTitle,clip,/)
  })

  test('X10: not found is told from not looked for', async () => {
    await write()
    expect((await read('findings', '--clip', 'h')).err).toContain(
      'h was found in no episode; it was looked for in 1 of 2 episodes',
    )
    expect((await read('findings', '--episode', 'E2')).err).toContain(
      'no clip was found in E2; 0 of 3 clips were looked for',
    )
    expect((await read('findings', '--clip', 'g', '--episode', 'E2')).err).toContain(
      'fonds research progress',
    )
  })

  test('as a picture: to a file, to a pipe', async () => {
    await write()
    const file = join(fonds.folder, 'timeline.svg')
    expect(await ask('findings', '--episode', 'E1', '--output', file)).toMatchObject({ code: 0, out: '' })
    const piped = await ask('findings', '--episode', 'E1', '--format', 'svg')
    expect(readFileSync(file, 'utf8')).toBe(piped.out)
    expect(piped.out).toContain('A gurgle at 29:14.2')
    expect(await read('findings', '--episode', 'E1', '--format', 'svg')).toMatchObject({ code: 2, out: '' })
    expect((await ask('findings', '--format', 'svg')).err).toContain('--episode <id> says which')
  })
})

describe('X9: fonds research pair', () => {
  test('has every result and says which counts', async () => {
    await write()
    expect((await read('pair', 'E1', 'g')).out).toMatch(
      /^g has been looked for in E1\n→ \S+: found at 1:00\.0 \(0\.900\), 29:14\.2 \(0\.900\); correlator 1 \(rate=8000\), ada\n$/,
    )
    expect((await read('pair', 'E1', 'h')).out).toContain('not found, best score 0.310')
    expect((await read('pair', 'E1', 'k')).out).toContain('`fonds research next E1 k` says when')
    expect((await ask('pair', 'E1', 'g')).rows).toMatchObject([{ researched: true }])
    expect((await ask('pair', 'E1', 'g', '--as-of', '8')).rows).toMatchObject([{ researched: false }])
    expect((await ask('pair', 'E1', 'g', '--as-of', 'noon')).code).toBe(2)
  })
})

describe('X4: fonds research next', () => {
  test('says why the first is first, and why others are not', async () => {
    const log = programme()
    log.episode('E3')
    await write(log)
    const { out } = await read('next', '--explain')
    expect(out).toMatch(/^E3 is what is handed out next\nE3: priority 0, first curated /)
    expect(out).toContain('Next:\n  1. E3: 3 clips (k, h, g)\n')
    expect((await read('next', 'E2')).out).toMatch(
      /^E2 came to nothing too often and is parked: see `fonds research/,
    )
    expect((await read('next', 'E1', 'k')).out).toMatch(/^k is under lease L1 until 2999/)
    expect((await ask('next', '--as-of', '12')).rows).toMatchObject([{ upcoming: [{ episode: 'E2' }] }])
    expect((await ask('next', '--count', '0')).code).toBe(2)
  })

  test('X11: where age weighs against priority, that is said of what it puts first', async () => {
    const log = programme()
    log.episode('E3', { priority: 1 })
    log.onEpisode('E2', 'Retried', { reason: 'its server is back' })
    const policy = { ...defaultPolicy, agingSeconds: 1 }
    log.policy('PolicySet', { version: 1, policy, reason: 'the old ones wait too long' })
    await write(log)
    const weighs = 'to be first curated 1 s earlier weighs as much as one step of priority (agingSeconds)'
    expect((await read('next', '--explain')).out).toMatch(
      /^E2 is what is handed out next\nold ones go first: /,
    )
    expect((await read('next', 'E3')).out).toContain(weighs)
    expect((await read('next', 'E1')).out).not.toContain(weighs)
    expect((await ask('episodes')).rows.map(({ episode }) => episode)).toEqual(['E2', 'E1', 'E3'])
  })
})

describe('what nobody knows: 1, with what may be meant', () => {
  test.each([
    [['findings', '--clip', 'gg'], 'nothing is known of the clip gg', '`fonds research clips`'],
    [['findings', '--episode', 'E11'], 'nothing is known of the episode E11', 'did you mean E1'],
    [['findings', '--episode', 'E9', '--output', 'x.svg'], 'the episode E9', '`fonds research episodes`'],
    [
      ['findings', '--episode', 'E1', '--as-of', '2020-01-01T00:00:00Z'],
      'as of 2020-01-01T00:00:00Z: nothing is known',
      '',
    ],
    [['pair', 'E1', 'z'], 'nothing is known of the clip z', '`fonds research clips` lists all'],
    [['next', 'E11'], 'nothing is known of the episode E11', 'did you mean E1'],
    [['next', 'E1', 'nix'], 'nobody has curated the clip nix, though results name it', 'send clip.curated'],
  ])('%j', async (argv, says, hint) => {
    await write()
    const { code, out, err } = await ask(...argv)
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain(says)
    expect(err).toContain(hint)
  })
})

test('one answer, too, is a sheet', async () => {
  await write()
  const sheet = async (...argv: string[]) => (await ask(...argv, '--format', 'csv')).out
  expect(await sheet('progress')).toMatch(
    /^pairs,researched,.*,hourlyOverDay,lastHour,lastDay,noForecast\n6,2,1,3,1,/,
  )
  expect(await sheet('pair', 'E1', 'g')).toMatch(
    /^episode,clip,offsets,scores,engine,.*\nE1,g,60000000000 1754200000000,0\.9 0\.9,correlator,1,rate=8000,/,
  )
  expect((await sheet('pair', 'E1', 'k')).trim()).toBe('')
  expect(await sheet('next', '--as-of', '12')).toBe('item,episode,clip\n1,E2,k\n1,E2,h\n1,E2,g\n')
})

test('help shows examples', async () => {
  const all = await fonds.run(['research', '--help'])
  for (const name of ['add', 'progress', 'findings', 'pair', 'next', ...lists.map(([list]) => list)]) {
    expect(all.out).toContain(`  ${name} `)
    expect((await fonds.run(['research', name, '--help'])).out).toContain(`$ fonds research ${name}`)
  }
})
