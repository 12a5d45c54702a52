import { v7 as uuid } from 'uuid'
import { startRoles } from '../src/app/roles.ts'
import { waitUntilIdle } from '../src/app/wait-until-idle.ts'
import { orThrow } from '../src/async/unavailable.ts'
import { contentTopic } from '../src/domain/fixity/messages.ts'
import { items } from '../src/domain/fixity/views.ts'
import { is, row, rows } from '../src/domain/kernel/read-views.ts'
import type { Views } from '../src/domain/kernel/view.ts'
import { fixity } from '../src/projections/fixity/projection.ts'
import { viewsAsOf } from '../src/projections/runtime/history.ts'
import { reportOnTopic } from '../src/workers/runtime/report-on-topic.ts'
import { ours } from './speed/checkouts.ts'
import { fonds } from './speed/commands.ts'
import { openHome } from './system.ts'
import { expectSame, median } from './table.ts'

/* What bench/growing.ts measures of a home, in a process of its own: `growing-figures.ts <home> <events>`. */

const messages = 20_000
const appends = 500
const questions = 300

/** Each is a cost: the less, the better. */
export interface Figures {
  readonly 'a message, produced and handled, µs of processor': number
  readonly 'an append, FULL, µs': number
  readonly 'a row by its key, µs': number
  readonly 'a page of 100, µs': number
  readonly 'a row as of the middle of the log, µs': number
  readonly 'a start with a question, ms of processor': number
  readonly 'resident memory after all, MB': number
}

const [home = '', events = ''] = process.argv.slice(2)

/** Median microseconds by the clock. */
const medianOf = async (times: number, work: (i: number) => unknown): Promise<number> => {
  const taken: number[] = []
  for (let i = 0; i < times; i++) {
    const start = performance.now()
    await work(i)
    taken.push((performance.now() - start) * 1000)
  }
  return median(taken)
}

const starts: number[] = []
for (let i = 0; i < 6; i++) {
  const { processor, output } = await fonds(ours, home, 'query', 'fixity-items', '--limit', '1')
  expectSame('rows that a start answers', output.trim().split('\n').length, 1)
  starts.push(processor * 1000)
}

const system = await openHome(home)
const { eventStore, viewStore } = system
/** Paths of items that the log named early, spread over all that it names. */
const some = rows(viewStore, items, { limit: 1000 }).map(({ path }) => path)
const pathAt = (i: number) => some[(i * 7) % some.length]!
const oneRow = (views: Pick<Views, 'query'>) => (i: number) =>
  expectSame('a row', row(views, items, is('store', 'bench'), is('path', pathAt(i)))?.path, pathAt(i))

const key = await medianOf(questions, oneRow(viewStore))
const page = await medianOf(questions, (i) =>
  expectSame(
    'rows of a page',
    rows(viewStore, items, { where: [{ column: 'path', is: '>', value: pathAt(i) }], limit: 100 }).length,
    100,
  ),
)
const middle = (await orThrow(eventStore.head())) / 2n
const { views } = await viewsAsOf(fixity, system, { position: middle })
const asOf = await medianOf(questions, oneRow(views))

const metadata = { actor: 'bench', causationId: uuid(), correlationId: uuid(), schema: 1 }
const event = () => ({ id: uuid(), type: 'Benched', data: { note: 'x'.repeat(200) }, metadata })
const append = await medianOf(appends, async (i) => {
  const result = await eventStore.append(`bench_${i % 100}`, 'any', [event()])()
  expectSame('an append', result._tag, 'Right')
})

const produce = async (first: number, count: number) => {
  for (let n = first; n < first + count; n += 500) {
    const checksums = [{ algorithm: 'sha-256', value: 'e'.repeat(64) }]
    const reports = Array.from({ length: 500 }, (_, j) => ({
      type: 'content.recorded',
      data: { store: 'bench', path: `at-${events}/file-${n + j}.tif`, size: 12345, checksums },
    }))
    await reportOnTopic(system, contentTopic, 'fonds://bench', reports)
  }
}
const running = await startRoles(system, ['processors', 'reactions', 'projections'])
await waitUntilIdle(system)
/** A start reads the whole log once: its file is checked, and those who look for rare events pass over the others. */
for (let last = process.cpuUsage(); ; ) {
  await system.clock.sleep(1000)
  const { user } = process.cpuUsage(last)
  if (user < 50_000) break
  last = process.cpuUsage()
}
/** Seconds of processor for so many messages, produced and handled. */
const handle = async (first: number): Promise<number> => {
  const before = process.cpuUsage()
  await produce(first, messages)
  await waitUntilIdle(system)
  const { user, system: kernel } = process.cpuUsage(before)
  return (user + kernel) / 1e6
}
await handle(0)
const handled = await handle(messages)
await running.stop()
const resident = process.memoryUsage().rss / 1e6
await system.close()

const figures: Figures = {
  'a message, produced and handled, µs of processor': (handled / messages) * 1e6,
  'an append, FULL, µs': append,
  'a row by its key, µs': key,
  'a page of 100, µs': page,
  'a row as of the middle of the log, µs': asOf,
  'a start with a question, ms of processor': median(starts),
  'resident memory after all, MB': resident,
}
process.send?.(figures, () => process.disconnect())
