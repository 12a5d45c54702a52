import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { linesOf, startServer, stop, until, useFolder } from './run-fonds.ts'
import { ask, run } from './run-here.ts'

const given = () => {
  const { home } = useFolder()
  return { home, file: join(home, 'fonds.db') }
}

const register = (home: string, names: readonly string[]) =>
  ask(['do', 'fixity.register-store', '--each', '-', '--actor', 'me', '--reason', 'test'], {
    home,
    stdin: names.map((store) => `${JSON.stringify({ store, kind: 'external' })}\n`).join(''),
  })

/** As a page that lists fewer cells than it has: SQLite finds nothing wrong with it. */
const lose = (file: string, sql: string) => {
  const db = new DatabaseSync(file)
  db.exec(`DROP TRIGGER events_never_go; DELETE FROM events WHERE ${sql}; PRAGMA wal_checkpoint(TRUNCATE)`)
  db.close()
}

it('a log that cannot be read whole: no reading of everything ends well, and live views stay', async () => {
  const { home, file } = given()
  const names = Array.from({ length: 12 }, (_, n) => `store${n}`)
  await register(home, names)
  expect(await ask(['query', 'fixity-stores'], { home })).toHaveLength(12)
  lose(
    file,
    "stream_id IN (SELECT id FROM streams WHERE name IN ('fixityStore-store3', 'fixityStore-store4'))",
  )

  const told =
    /is damaged: 2 events of 2 streams are missing.*fixityStore-store3.*Stop Fonds and put a backup/
  const events = await run(['events'], { home })
  expect(events).toMatchObject({ code: 3, stderr: expect.stringMatching(told) })
  expect(linesOf(events)).toHaveLength(10)
  for (const args of [
    ['rebuild', '--all'],
    ['rebuild', 'fixity', '--verify', '--promote'],
    // A view that keeps no past: as of then it is folded from the log.
    ['query', 'matching-parts', '--as-of', '2099-01-01T00:00:00Z'],
    ['events', '--category', 'fixityStore'],
    ['events', '--stream', 'fixityStore-store3'],
    ['events', '--follow'],
  ])
    expect(await run(args, { home }), args.join(' ')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('is damaged'),
    })
  expect(await ask(['query', 'fixity-stores'], { home })).toHaveLength(12)

  const doctor = await run(['doctor'], { home })
  expect(doctor.code).toBe(1)
  expect(linesOf(doctor).find(({ check }) => check === 'log')).toMatchObject({
    status: 'fail',
    says: expect.stringMatching(told),
  })
  expect(readdirSync(home)).toContain('fonds.db')
})

it('views are not folded for the first time from a log that cannot be read whole', async () => {
  const { home, file } = given()
  await register(home, ['a', 'b'])
  lose(file, 'position = 1')
  const fresh = join(home, '..', 'fresh')
  const asked = await run(['query', 'fixity-stores'], {
    home: fresh,
    env: { FONDS_EVENT_STORE: `sqlite:${file}` },
  })
  expect(asked).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('is damaged') })
})

it('a server on such a log is not ready, and says why', async () => {
  const { home, file } = given()
  await register(home, ['a', 'b', 'c'])
  await ask(['query', 'fixity-stores'], { home })
  lose(file, 'position = 2')
  const server = await startServer({ home })
  const said = await until(
    'not ready',
    async () => {
      const response = await fetch(`${server.address}/readyz`)
      const text = await response.text()
      return response.status === 503 && text.includes('is damaged') && text
    },
    120,
  )
  expect(said).toMatch(/1 events of 1 streams are missing \(1 of fixityStore-b\)/)
  expect(server.stderr()).toMatch(/is damaged/)
  expect(await stop(server)).toBe(0)
})
