import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { roundsOr, useSeed } from '../crash/seed.ts'
import { ask, type Line, run, startServer, stop, until, useFolder } from '../run-fonds.ts'

/* Two processes of one archive, killed again and again while objects go from ingest to fixity: each ends done, and is recorded once. */

const objects = 12

it('objects whose processes are killed at any moment are done in the end, each file recorded once', async () => {
  const { folder, home } = useFolder()
  const { chance } = useSeed()
  const given = { home, env: { FONDS_CHAIN: 'fixity', FONDS_CLAIM_SECONDS: '10' } }
  const letters = join(folder, 'letters')
  mkdirSync(letters)
  for (let i = 0; i < objects; i++) writeFileSync(join(letters, `${i}.txt`), `letter ${i}\n`)

  const servers = await Promise.all([startServer(given), startServer(given)])
  const submitted = ask(['ingest', 'submit', letters, '--type', 'each-file'], given)
  const rounds = roundsOr(4, 20)
  for (let round = 0; round < rounds; round++) {
    await setTimeout(chance() * 1500)
    const killed = servers[round % 2]!
    killed.child.kill('SIGKILL')
    await killed.exit
    servers[round % 2] = await startServer(given)
  }
  await submitted
  const dossiers = () => ask(['query', 'chain-dossiers'], given)
  await until('all are done', async () => {
    const found = await dossiers()
    return found.length === objects && found.every(({ state }) => state === 'done')
  })
  const events = async (category: string): Promise<readonly Line[]> =>
    ask(['events', '--category', category], given)
  const count = (some: readonly Line[], wanted: string) =>
    Map.groupBy(
      some.filter(({ type }) => type === wanted),
      ({ stream }) => stream,
    )
  const ofDossiers = await events('dossier')
  for (const type of ['ObjectStored', 'ContentHandedOver', 'PartsVerified'])
    expect([...count(ofDossiers, type).values()].map(({ length }) => length)).toEqual(Array(objects).fill(1))
  const recorded = [...count(await events('fixity'), 'ContentRecorded').values()]
  expect(new Set(recorded.map(({ length }) => length))).toEqual(new Set([1]))
  expect(recorded).toHaveLength((await dossiers()).reduce((sum, { parts }) => sum + parts, 0))
  for (const server of servers) expect(await stop(server)).toBe(0)
  expect(await run(['rebuild', 'chain', '--verify'], given)).toMatchObject({ code: 0 })
})
