import { join } from 'node:path'
import { it } from 'vitest'
import { ensureTopics } from '../../../src/app/topics.ts'
import { waitUntilIdle } from '../../../src/app/wait-until-idle.ts'
import { everything, expectSoundLog } from '../crash/expectations.ts'
import { tellFigures } from '../crash/figures.ts'
import { roundsOr, useSeed } from '../crash/seed.ts'
import { openHome } from '../open-home.ts'
import { launch, until, useFolder } from '../run-fonds.ts'
import { expectGrowing, expectMatched } from './expectations.ts'
import { latest, produce, updates } from './traffic.ts'

/* Processes that match and merge are killed at random moments: "crash between commit and send", and all other moments. */

const rounds = roundsOr(4)
const works = 80
const perRound = 400

it('killed at any moment: graphs and documents are those of a fresh run, and versions only grow', async () => {
  const { seed, chance } = useSeed()
  const { home } = useFolder()
  const system = await openHome(home)
  await ensureTopics(system)
  const work = () => launch(process.execPath, [join(import.meta.dirname, '../crash/at-work.ts'), home])

  const sent = updates(chance, works, rounds * perRound)
  const workers = [work(), work()]
  for (let round = 0; round < rounds; round++) {
    await produce(system, sent.slice(round * perRound, (round + 1) * perRound))
    await until('work', () => workers.some((one) => one.stderr().includes('at work')))
    await new Promise((resolve) => setTimeout(resolve, chance() * 1500))
    const victim = workers.shift()!
    victim.child.kill('SIGKILL')
    await victim.exit
    workers.push(work())
  }
  await waitUntilIdle(system)
  for (const { child, exit } of workers) {
    child.kill('SIGKILL')
    await exit
  }

  const events = await everything(system)
  console.log(`${events.length} events`)
  expectSoundLog(events)
  expectGrowing(events)
  expectMatched(system.viewStore, latest(sent))
  await system.close()
  tellFigures(seed, { kills: rounds, acknowledged: sent.length })
})
