import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { expect, it, onTestFinished } from 'vitest'
import { openSqliteEventStore } from '../../infra/event-store/sqlite/event-store.ts'
import { openDatabase } from '../../infra/sqlite/database.ts'
import type { FixityCommand } from '../../src/domain/fixity/commands.ts'
import { decider } from '../../src/domain/fixity/decide.ts'
import { itemStream } from '../../src/domain/fixity/item.ts'
import type { Command } from '../../src/domain/kernel/decider.ts'
import type { RecordedEvent } from '../../src/domain/kernel/event.ts'
import { leaderLeases, leaderStream } from '../../src/domain/kernel/leader-lease.ts'
import { addMillis, DAY } from '../../src/domain/kernel/time.ts'
import type { EventStore } from '../../src/ports/event-store.ts'
import { executor } from '../../src/processors/runtime/execute.ts'
import type { Route } from '../../src/processors/runtime/processor.ts'
import { routeTo } from '../../src/processors/runtime/route.ts'
import { streamStates } from '../../src/processors/runtime/stream-states.ts'
import { writeContent } from './archive.ts'
import { ask, startServer, stop, until, useFolder } from './run-fonds.ts'

/* A machine whose clock ran a day ahead worked on this log and died. The clock is right again. */

const item = { store: 'main', path: 'a.txt' }
const gone = 'gone/1'
const claimMillis = 2000
const dutyMillis = 3000

/** The log as that machine had it: what it writes is of tomorrow, and so is all that follows. */
const logOfTomorrow = (home: string): EventStore => {
  const store = openSqliteEventStore(openDatabase(join(home, 'fonds.db')), {
    clock: () => Date.now() + DAY,
  })
  onTestFinished(() => store.close())
  return store
}

const left = async (store: EventStore): Promise<void> => {
  const execute = executor(store, streamStates(store))
  const at = addMillis(new Date().toISOString(), DAY)
  const by = { actor: gone, at }
  const give = async ({ decider, stream, command }: Route) => {
    const cause = { causationId: crypto.randomUUID(), correlationId: 'before' }
    const given = await execute(decider, { stream, command: command as Command, ...cause })
    expect(given).toMatchObject({ right: { kind: 'done' } })
  }
  const onItem = (command: FixityCommand) => give(routeTo(decider, itemStream(item), command))
  await onItem({ type: 'RequestCheck', item, ...by, queue: 'high', reason: 'a test' })
  const claim = { holder: gone, deadline: addMillis(at, claimMillis), millis: claimMillis }
  await onItem({ type: 'Claim', item, ...by, ...claim })
  const taking = { holder: gone, deadline: addMillis(at, dutyMillis), millis: dutyMillis }
  const reached = { positions: {} }
  await give(routeTo(leaderLeases, leaderStream('reactions'), { type: 'Take', ...by, ...taking, reached }))
}

const eventsIn = async (store: EventStore, stream: string): Promise<readonly RecordedEvent[]> => {
  const read = await store.read(stream, 'start', 'forward', 1000)()
  if (isLeft(read)) throw new Error(JSON.stringify(read.left))
  return read.right
}

it('its leader lease and its claim, both until tomorrow, keep nobody waiting until then', async () => {
  const { home, root } = useFolder()
  writeContent(root, item.path, 'a')
  await ask(['fixity', 'add', root, '--store', 'main'], { home })
  const store = logOfTomorrow(home)
  await left(store)
  const settings = {
    FONDS_DUTY_SECONDS: `${dutyMillis / 1000}`,
    FONDS_CLAIM_SECONDS: `${claimMillis / 1000}`,
    FONDS_IDLE_MIN_SECONDS: '1',
    FONDS_IDLE_MAX_SECONDS: '1',
  }
  const ticking = await startServer({ home, env: settings }, [
    '--roles',
    'processors,reactions,projections,api',
  ])
  await until('the lease on the reactions is taken', async () => {
    const holders = (await eventsIn(store, leaderStream('reactions'))).map(
      ({ data }) => (data as { holder: string }).holder,
    )
    return holders.at(-1) !== gone
  })
  const sinceClaimed = async () => {
    const events = await eventsIn(store, itemStream(item))
    const claimed = events.findLastIndex(
      ({ type, metadata }) => type === 'CheckClaimed' && metadata.actor === gone,
    )
    return events.slice(claimed + 1)
  }
  await until('the claim has expired', async () =>
    (await sinceClaimed()).some(({ type }) => type === 'AttemptFailed'),
  )
  expect(await stop(ticking), ticking.stderr()).toBe(0)

  // Who checks has a claim that need not be extended, however busy the machine is.
  const server = await startServer({ home, env: { ...settings, FONDS_CLAIM_SECONDS: '3600' } })
  const checked = await until('the file is checked', async () => {
    const after = await sinceClaimed()
    return after.some(({ type }) => type === 'FixityDecided') && after
  })
  expect(checked.map(({ type }) => type)).toEqual([
    'ClaimExpired',
    'AttemptFailed',
    'CheckClaimed',
    'FixityDecided',
  ])
  expect(await stop(server), server.stderr()).toBe(0)
})
