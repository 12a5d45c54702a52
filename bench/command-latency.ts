import './as-fonds.ts'
import { setImmediate } from 'node:timers/promises'
import { dispatch } from '../src/app/dispatch.ts'
import { startRoles } from '../src/app/roles.ts'
import type { System } from '../src/app/system.ts'
import { orThrow } from '../src/async/unavailable.ts'
import { category } from '../src/domain/fixity/item.ts'
import { commandsOf } from '../src/workflows/workflow.ts'
import { benchSystem } from './system.ts'
import { median, printTable } from './table.ts'

/*
 * How long a command waits while views fold: a log of so many events is folded from its beginning, and commands are given all the
 * while; then the same commands with nothing to fold. Milliseconds of the main thread's processor, so that others on the machine do not
 * count. `node bench/command-latency.ts [events]`
 */

const total = Number(process.argv[2] ?? 100_000)
const idleCommands = 200
/** Milliseconds that one command of a hundred may take. */
const promised = 250
const atOnce = 500

const recordAll = async ({ eventStore }: System): Promise<void> => {
  const at = new Date().toISOString()
  const data = {
    checksums: [
      { algorithm: 'sha-256', value: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' },
    ],
    ...{ recordedFrom: 'fonds://bench', at, dueAt: at, size: 12345 },
  }
  const metadata = { actor: 'bench', causationId: 'bench', correlationId: 'bench', schema: 2 }
  for (let from = 0; from < total; from += atOnce)
    await Promise.all(
      Array.from({ length: Math.min(atOnce, total - from) }, (_, i) => {
        const path = `folder-${Math.floor((from + i) / 200)}/file-${String(from + i).padStart(7, '0')}.tif`
        const event = { id: crypto.randomUUID(), type: 'ContentRecorded', data, metadata }
        return orThrow(eventStore.append(`${category}-bench/${path}`, 'none', [event]))
      }),
    )
}

const { system, dispose } = await benchSystem()
const named = (name: string) => commandsOf(system.workflows).find((one) => one.name === name)!
const commands = [named('ingest.pause'), named('ingest.unpause')] as const
let given = 0

const millis = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Gives one command after the other while `goesOn`; how long each took. */
const give = async (goesOn: (given: number) => boolean): Promise<readonly number[]> => {
  const taken: number[] = []
  while (goesOn(taken.length)) {
    const start = millis()
    const done = await dispatch(system, commands[given++ % 2]!, {}, { actor: 'bench', reason: 'bench' })
    if (done._tag === 'Left') throw new Error(JSON.stringify(done.left))
    taken.push(millis() - start)
    await setImmediate()
  }
  return taken
}

await recordAll(system)
const head = await orThrow(system.eventStore.head())
const running = await startRoles(system, ['processors', 'reactions', 'projections'])
let isFolding = true
const folded = running.projections!.whenCaughtUp(head, { timeoutMillis: 600_000 }).then(() => {
  isFolding = false
})
const whileFolding = await give(() => isFolding)
await folded
const idle = await give((count) => count < idleCommands)
await running.stop()
await dispose()

const longest = (of: readonly number[], share: number) =>
  of.toSorted((a, b) => a - b)[Math.ceil(of.length * share) - 1]!
console.log(`${whileFolding.length} commands while ${total.toLocaleString('en')} events were folded`)
const slow = longest(whileFolding, 0.99)
const line = (what: string, millis: number, beside: string, budget: number) => ({
  ...{ what, ours: 1000 / millis, beside, theirs: 1000 / budget, unit: 'commands/s' },
})
printTable('a command while views fold', [
  line('median', median(whileFolding), 'nothing to fold', median(idle)),
  { ...line('one of a hundred', slow, 'budget', promised), promise: 1, did: `${total} events` },
])
for (const [what, taken] of Object.entries({ 'while views fold': whileFolding, 'nothing to fold': idle }))
  console.log(
    `${what}: ${median(taken).toFixed(1)} ms of the main thread, one of a hundred ${longest(taken, 0.99).toFixed(1)}, at most ${longest(taken, 1).toFixed(1)}`,
  )
