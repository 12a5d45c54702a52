import { isLeft } from 'fp-ts/lib/Either.js'
import { expect, it, onTestFinished } from 'vitest'
import { leaderStream, reactionsLease } from '../../src/domain/kernel/leader-lease.ts'
import { openHome } from './open-home.ts'
import { start, until, useFolder } from './run-fonds.ts'

/* An exception that nobody catches ends the process, and what it held is free for others at once. */

/** Run in the process before all else: a signal then brings out the bug. */
const bug = (statement: string) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`process.on('SIGUSR2',()=>{${statement}})`)}`,
  FONDS_DUTY_SECONDS: '3600',
})

const dutyEvents = async (home: string) => {
  const system = await openHome(home)
  onTestFinished(() => system.close())
  return async () => {
    const read = await system.eventStore.read(leaderStream(reactionsLease), 'start', 'forward', 100)()
    return isLeft(read) ? [] : read.right.map(({ type }) => type)
  }
}

it.each([
  ['thrown', 'throw new Error("nobody catches this")', 'uncaughtException'],
  ['rejected', 'Promise.reject(new Error("nobody catches this"))', 'unhandledRejection'],
])('%s: it is logged, the duty given back, the exit code 1', async (_, statement, origin) => {
  const { home } = useFolder()
  const node = start(['start', '--port', '0'], { home, env: bug(statement) })
  await node.says(/Ctrl-C stops/)
  const events = await dutyEvents(home)
  await until('it has the duty', async () => (await events()).includes('DutyTaken'), 120)
  node.child.kill('SIGUSR2')
  expect(await node.exit).toBe(1)
  const logged = node
    .stderr()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
  expect(logged).toMatchObject([{ level: 60, origin, err: { message: 'nobody catches this' } }])
  expect((await events()).at(-1)).toBe('DutyLeft')
})

it('a worker on its own ends, too', async () => {
  const { home } = useFolder()
  const worker = start(['worker', 'researcher'], { home, env: bug('throw new Error("nobody catches this")') })
  await worker.says(/at work/)
  worker.child.kill('SIGUSR2')
  expect(await worker.exit).toBe(1)
  expect(worker.stderr()).toMatch(/"level":60.*nobody catches this/)
})
