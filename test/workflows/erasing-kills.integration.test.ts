import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { roundsOr, useSeed } from '../e2e/crash/seed.ts'
import { ask, type Given, start, startServer, stop, until, useFolder } from '../e2e/run-fonds.ts'
import { filesWith } from '../files-with.ts'

/* Q45: an erasing that is killed behind its event is ended by others: values, and what topics have of them. */

const env = { FONDS_PERSONAL_VALUES: 'on' }

/** Messages among which the person's are to be found: reading them takes a while. */
const others = 4000

const submission = (n: number, submitter: string) =>
  JSON.stringify({
    type: 'batch.submitted',
    data: {
      batch: `5b0c6f3e-8a4d-4f0e-9d59-${String(n).padStart(12, '0')}`,
      profile: 'default',
      submitter,
      payload: { url: 'https://host.example/letters.checkm', type: 'batch-manifest' },
      mode: 'add',
    },
  })

/** As another system does, which knows nothing of references. */
const putPlainly = (given: Given, submitters: readonly string[], from: number) =>
  ask(['produce', 'fonds.ingest.submissions'], {
    ...given,
    env: { FONDS_PERSONAL_VALUES: 'off' },
    stdin: submitters.map((submitter, i) => submission(from + i, submitter)).join('\n'),
  })

const erasedEvents = (home: string): number => {
  const db = new DatabaseSync(join(home, 'fonds.db'), { readOnly: true })
  try {
    const row = db.prepare("SELECT count(*) AS n FROM events WHERE type = 'PersonErased'").get()
    return Number(row?.n)
  } finally {
    db.close()
  }
}

it('a server that starts, or one that runs all the while, takes it up', async () => {
  const given = { ...useFolder(), env }
  const { home } = given
  const { chance } = useSeed()
  await putPlainly(
    given,
    Array.from({ length: others }, (_, i) => `somebody-${i}@example.org`),
    0,
  )
  for (let round = 0; round < roundsOr(2); round++) {
    const person = `ada.brandt-${round}@example.org`
    await putPlainly(given, [person, 'ben@example.org', person], 100_000 + 10 * round)
    expect(filesWith(home, person)).not.toEqual([])
    // It is known by a reference from here on.
    await ask(['do', 'ingest.pause', '--actor', person, '--reason', `round ${round}`], given)
    await ask(['do', 'ingest.unpause', '--actor', person, '--reason', `round ${round}`], given)
    const running = round % 2 === 1 ? await startServer(given, ['--roles', 'api']) : undefined
    const wanted = [
      'do',
      'personal.erase',
      `person=${person}`,
      '--confirm',
      '--actor',
      'ben',
      '--reason',
      'hers',
    ]
    const erasing = start(wanted, given)
    await until('the log has it', () => erasedEvents(home) === round + 1)
    await new Promise((resolve) => setTimeout(resolve, chance() * 40))
    erasing.child.kill('SIGKILL')
    await erasing.exit
    const server = running ?? (await startServer(given, ['--roles', 'api']))
    await until('it is nowhere', () => filesWith(home, person).length === 0)
    expect(await stop(server)).toBe(0)
    const row = (await ask(['events', '--type', 'HoldSet'], given)).at(-1)
    expect(row.metadata.actor).toMatch(/^\[erased on /)
  }
  // Nothing else went.
  expect(filesWith(home, 'somebody-17@example.org')).not.toEqual([])
})
