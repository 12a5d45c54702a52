import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { orThrow } from '#src/async/unavailable.ts'
import { foreignEvent } from '../app/proof/retention-rounds.ts'
import { treeIn } from '../app/proof/tree-of-log.ts'
import { openHome } from './open-home.ts'
import { run, startServer, stop, until, useFolder } from './run-fonds.ts'
import { ask } from './run-here.ts'

/* Q20, with real processes: `fonds start` removes what a policy names; killed in between, the next one does. */

const by = ['--actor', 'ada', '--reason', 'schedule, no. 12']

it('killed once the log has the event, the next process removes what it names', async () => {
  const { home } = useFolder()
  const given = { home }
  const filling = await openHome(home)
  for (const days of [90, 80, 3])
    for (const stream of ['sensor-a', 'sensor-b'])
      await foreignEvent(filling.eventStore, stream, days, { text: `secret-q20-${days}` })
  await filling.close()
  await ask(['retention', 'set', 'sensor', '30', ...by], given)

  const first = await startServer(given)
  const entries = await until('the log is sealed', async () => {
    const tree = await treeIn(home).catch(() => undefined)
    return tree && tree.size >= 7n ? tree.entries : undefined
  })
  await ask(['do', 'retention.run', 'category=sensor', ...by, '--confirm'], given)
  const named = () => ask(['events', '--type', 'EventsRemoved'], given)
  await until('what goes is named', async () => ((await named()).length > 0 ? true : undefined))
  first.child.kill('SIGKILL')
  await first.exit

  const second = await startServer(given)
  const [policy] = await until('it is removed', async () => {
    const policies = await ask(['retention', 'list'], given)
    return policies[0]?.removed === 4 ? policies : undefined
  })
  expect(policy).toMatchObject({ named: 0, dueEvents: 0 })
  expect(await named()).toHaveLength(1)
  const rebuilt = await run(['rebuild', '--all', '--verify'], given)
  expect([rebuilt.code, rebuilt.stdout]).toEqual([0, expect.not.stringContaining('"verdict":"different"')])
  await stop(second)

  expect((await treeIn(home))!.entries.slice(0, entries.length)).toEqual(entries)
  expect(await ask(['proof', 'check'], given)).toMatchObject([{ removed: 4, deleted: 0 }])
  const proof = join(home, 'sensor-a.tlog-proof')
  await ask(['proof', 'of', 'sensor-a', '0', '--output', proof], given)
  expect((await run(['proof', 'verify', proof], given)).code).toBe(0)
  const after = await openHome(home)
  const { events } = await orThrow(after.eventStore.readAll(-1n, { categories: ['sensor'] }, 10))
  await after.close()
  expect(events.map(({ stream, revision }) => `${stream} ${revision}`)).toEqual(['sensor-a 2', 'sensor-b 2'])
  const file = readFileSync(join(home, 'fonds.db')).toString('latin1')
  expect(['secret-q20-90', 'secret-q20-80'].filter((text) => file.includes(text))).toEqual([])
})
