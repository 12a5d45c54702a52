import { once } from 'node:events'
import { openViewStore } from '../../../infra/views/sqlite/view-store.ts'
import { systemClock } from '../../../src/async/system-clock.ts'
import { runProjections } from '../../../src/projections/runtime/runner.ts'
import { fakeEventStore } from '../../fakes/event-store.ts'
import { accounts, fill } from './accounts.ts'

/*
 * A process of its own that folds `count` payments into the views of a file, a few at a time. It says `ready`, waits
 * for a word on standard input, then prints each position it has folded. Every process makes the same log for itself:
 * what they share is the views.
 */

const [file = '', count = '0'] = process.argv.slice(2)
const eventStore = fakeEventStore({ batchSize: 3 })
const position = await fill(eventStore, Number(count))
// Without memory of its own rows, so that what another process wrote is always what counts.
const viewStore = openViewStore(file, { rowBytes: 0 })
process.stdout.write('ready\n')
await once(process.stdin, 'data')
const running = runProjections({
  eventStore,
  viewStore,
  clock: systemClock,
  projections: [accounts()],
  observe: (batch) => process.stdout.write(`${batch.position}\n`),
})
await running.whenCaughtUp(position)
await running.stop()
viewStore.close()
process.stdin.destroy()
