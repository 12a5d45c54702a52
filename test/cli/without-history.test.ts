import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { headOf } from '../../src/app/lags.ts'
import { useFonds } from './fonds.ts'

const fonds = useFonds({ keepsHistory: true })
const env = { FONDS_PAST_DAYS: '0' }

/** A folder whose second file is recorded later; gives the position between the two. */
const recordTwice = async (): Promise<string> => {
  const settings = { env }
  const folder = join(fonds.folder, 'archive')
  mkdirSync(folder)
  writeFileSync(join(folder, 'a'), 'one')
  await fonds.run(['fixity', 'add', folder, '--actor', 'ada'], settings)
  const position = await fonds.withSystem(headOf)
  writeFileSync(join(folder, 'b'), 'two')
  await fonds.run(['fixity', 'add', folder, '--actor', 'ada'], settings)
  return String(position)
}

it('page P61: with FONDS_PAST_DAYS=0 views keep no past; moments of it are folded from the log, with the same answer', async () => {
  const position = await recordTwice()
  const ask = (settings: Readonly<Record<string, string>>) =>
    fonds.run(['query', 'fixity-items', '--as-of', position, '--columns', 'path'], { env: settings })
  const folded = await ask(env)
  expect(folded.rows).toEqual([{ path: 'a' }])
  expect(folded.err).toContain('the views of fixity keep no history')
  const historyReach = async (settings: Readonly<Record<string, string>>) =>
    (await fonds.run(['doctor'], { env: settings })).rows.find(({ check }) => check === 'past')?.says
  expect(await historyReach(env)).toBe('views are to keep none of it (FONDS_PAST_DAYS=0)')

  // Who wants it again has to have views folded anew.
  expect((await ask({})).err).toContain('keep no history')
  expect(await historyReach({})).toContain('`fonds rebuild')
  expect((await fonds.run(['rebuild', 'fixity', '--verify'])).code).toBe(0)
  const kept = await ask({})
  expect([kept.rows, kept.err]).toEqual([folded.rows, ''])
  const never = await fonds.run(['query', 'rejections', '--as-of', position])
  expect(never.err).toContain('the views of rejections keep no history. Events are folded up to there')
  expect(await historyReach(env)).toContain(
    'the views of fixity were made to keep it: `fonds rebuild fixity`',
  )
})

it('page P65: a home with copies of views, and FONDS_PAST_COPIES, goes on: copies are left alone, and doctor names both', async () => {
  const position = await recordTwice()
  const copies = join(fonds.home, 'views-copies')
  mkdirSync(copies, { mode: 0o700 })
  const files = [
    ['2026-01.db', '0123456789'],
    ['2026-02.db.1.partial', '01234'],
  ] as const
  for (const [name, content] of files) writeFileSync(join(copies, name), content, { mode: 0o400 })
  const before = { env: { ...env, FONDS_PAST_COPIES: '12' } }
  const doctor = async (settings: object) =>
    (await fonds.run(['doctor'], settings)).rows.filter(({ check }) => check === 'past copies')

  const folded = await fonds.run(['query', 'fixity-items', '--as-of', position, '--columns', 'path'], before)
  expect(folded.rows).toEqual([{ path: 'a' }])
  expect(folded.err).toContain('Events are folded up to there, which takes longer')
  const left = {
    status: 'ok',
    says: `${copies} (2 files, 15 B) was made by an earlier Fonds and is no longer used; remove it by hand`,
  }
  expect(await doctor(before)).toMatchObject([
    left,
    {
      status: 'warn',
      says: expect.stringContaining('FONDS_PAST_COPIES), and does nothing any more'),
      todo: expect.stringContaining('unset it'),
    },
  ])
  expect(await doctor({ env })).toMatchObject([left])
  expect(readdirSync(copies).sort()).toEqual(files.map(([name]) => name))
  for (const [name, content] of files) expect(readFileSync(join(copies, name), 'utf8')).toBe(content)
  rmSync(copies, { recursive: true })
  expect(await doctor({ env })).toEqual([])
})
