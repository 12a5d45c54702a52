import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { headOf } from '../../src/app/lags.ts'
import { useFonds } from './fonds.ts'

const fonds = useFonds({ keepsPast: true })
const env = { FONDS_PAST_DAYS: '0' }

/** A folder whose second file is recorded later; gives the position between the two. `then`: at that moment. */
const recordTwice = async (then: () => Promise<void> = async () => {}): Promise<string> => {
  const settings = { env: { ...env, FONDS_PAST_COPIES: '0' } }
  const folder = join(fonds.folder, 'archive')
  mkdirSync(folder)
  writeFileSync(join(folder, 'a'), 'one')
  await fonds.run(['fixity', 'add', folder, '--actor', 'ada'], settings)
  await then()
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
  expect(folded.err).toContain('the views of fixity do not keep their past')
  const pastOf = async (settings: Readonly<Record<string, string>>) =>
    (await fonds.run(['doctor'], { env: settings })).rows.find(({ check }) => check === 'past')?.says
  expect(await pastOf(env)).toBe('views are to keep none of it (FONDS_PAST_DAYS=0)')

  // Who wants it again has to have views folded anew.
  expect((await ask({})).err).toContain('do not keep their past')
  expect(await pastOf({})).toContain('`fonds rebuild')
  expect((await fonds.run(['rebuild', 'fixity', '--verify'])).code).toBe(0)
  const kept = await ask({})
  expect([kept.rows, kept.err]).toEqual([folded.rows, ''])
  expect(await pastOf(env)).toContain('the views of fixity were made to keep it: `fonds rebuild fixity`')
})

it('page P65: moments that views keep no past of are folded on from a copy; doctor names the copies', async () => {
  const asked = { env: { ...env, FONDS_PAST_COPIES: '0' } }
  const copiesOf = async () =>
    (await fonds.run(['doctor'], asked)).rows.find(({ check }) => check === 'past copies')?.says
  const copy = join(fonds.home, 'views-copies/2026-01.db')
  const aside = join(fonds.folder, 'copy')
  const position = await recordTwice(async () => {
    await fonds.run(['query', 'fixity-items'], asked)
    await fonds.withSystem(({ viewCopies }) => viewCopies.make('2026-01', new AbortController().signal))
    // None is to be kept by what follows.
    renameSync(copy, aside)
  })
  renameSync(aside, copy)
  const ask = () => fonds.run(['query', 'fixity-items', '--as-of', position, '--columns', 'path'], asked)
  const onward = await ask()
  expect(onward.rows).toEqual([{ path: 'a' }])
  expect(onward.err).toContain('which takes longer')
  expect(await copiesOf()).toMatch(/^1 copy of the views in .*views-copies, 2026-01, .* deleted at any time$/)

  // What only the copy says shows that it was asked.
  const db = new DatabaseSync(copy)
  const table = db.prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'fixity-items__%'").get()?.name
  db.exec(`UPDATE "${table}" SET path = 'in the copy'`)
  db.close()
  expect((await ask()).rows).toEqual([{ path: 'in the copy' }])
  rmSync(copy)
  expect((await ask()).rows).toEqual(onward.rows)
  expect(await copiesOf()).toBeUndefined()
})
