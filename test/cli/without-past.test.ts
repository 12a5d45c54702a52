import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { headOf } from '../../src/app/lags.ts'
import { useFonds } from './fonds.ts'

const fonds = useFonds()
const env = { FONDS_PAST_DAYS: '0' }

/** A folder whose second file is recorded later; gives the position between the two. */
const recordTwice = async (): Promise<string> => {
  const folder = join(fonds.folder, 'archive')
  mkdirSync(folder)
  writeFileSync(join(folder, 'a'), 'one')
  await fonds.run(['fixity', 'add', folder, '--actor', 'ada'], { env })
  const position = await fonds.withSystem(headOf)
  writeFileSync(join(folder, 'b'), 'two')
  await fonds.run(['fixity', 'add', folder, '--actor', 'ada'], { env })
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
