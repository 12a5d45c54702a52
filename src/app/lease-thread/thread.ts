import { parentPort, workerData } from 'node:worker_threads'
import { type Logger, pino } from 'pino'
import { releaseMemoryWhenIdle } from '../../async/release-memory.ts'
import { systemClock as clock } from '../../async/system-clock.ts'
import type { EventStore } from '../../ports/event-store.ts'
import { executor } from '../../processors/runtime/execute.ts'
import { keepLease } from '../../processors/runtime/keep-lease.ts'
import { createLeaderStream } from '../../processors/runtime/leader-stream.ts'
import { streamStates } from '../../processors/runtime/stream-states.ts'
import { cachesOf } from '../config/caches.ts'
import type { Config } from '../config/settings.ts'
import { type FromLeaseThread, type LeaseThreadData, type ToLeaseThread, writeUntil } from './messages.ts'

/*
 * The module of a lease thread. It extends the lease on a connection of its own, for as long as the working thread sends
 * beats: none within the lease's time, no extension. An exception ends it; `keepApart` then keeps the lease.
 */

const port = parentPort
if (!port) throw new Error('thread.ts is run by keepApart, not by itself')

const { lease, reached, until, config, eventStoreModule } = workerData as LeaseThreadData
const { default: open } = (await import(eventStoreModule)) as {
  readonly default: (config: Config, log: Logger) => Promise<EventStore>
}
const log = pino({ name: 'fonds', level: config.logLevel }, pino.destination(2))
const eventStore = await open(config, log)
const states = streamStates(eventStore, cachesOf(config).lease / 4)
const stream = createLeaderStream(lease.name, { execute: executor(eventStore, states), states, log })

let lastBeat = { reached, at: clock.monotonic() }
const keeping = keepLease(lease, () => lastBeat.reached, {
  stream,
  clock,
  log,
  isAtWork: () => clock.monotonic() - lastBeat.at < lease.millis,
  extended: (later) => writeUntil(until, later),
})
const send = (message: FromLeaseThread) => port.postMessage(message)
keeping.rejected.addEventListener('abort', () => send('rejected'))
port.on('message', (message: ToLeaseThread) => {
  if (message.kind === 'stop') void end()
  else lastBeat = { reached: message.reached, at: clock.monotonic() }
})
send('ready')
const ending = new AbortController()
const releasing = releaseMemoryWhenIdle(ending.signal)

async function end(): Promise<void> {
  ending.abort()
  await Promise.all([keeping.stop(), releasing])
  await eventStore.close()
  port?.close()
}
