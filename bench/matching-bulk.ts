import { ensureTopics } from '../src/app/topics.ts'
import { waitUntilIdle } from '../src/app/wait-until-idle.ts'
import { rows } from '../src/domain/kernel/read-views.ts'
import { worksTopic } from '../src/domain/matching/messages.ts'
import { graphs, members, merged } from '../src/domain/matching/views.ts'
import { reportOnTopic } from '../src/workers/runtime/report-on-topic.ts'
import { bulk, wholeCatalogue } from './bulk-catalogue.ts'
import { startApart } from './roles-apart.ts'
import { benchSystem } from './system.ts'
import { expectSame, printTable } from './table.ts'

/*
 * A catalogue is loaded: from the topic to the views and the documents sent out, by two processes on one home. Its components
 * and documents are held against a union-find. `node bench/matching-bulk.ts [works]`
 */

const works = Number(process.argv[2] ?? wholeCatalogue.works)
const share = works / wholeCatalogue.works
const large = wholeCatalogue.large.map((size) => Math.max(2, Math.round(size * share)))
const { messages, componentOf } = bulk({ works, large })
const { system, home, dispose } = await benchSystem()
await ensureTopics(system)
const reports = messages.map((data) => ({ type: 'work.updated', data }))
for (let i = 0; i < reports.length; i += 500)
  await reportOnTopic(system, worksTopic, 'fonds://bench', reports.slice(i, i + 500))

const started = performance.now()
const processes = await Promise.all([
  startApart(home, 'processors'),
  startApart(home, 'reactions', 'projections'),
])
await waitUntilIdle(system, 600_000)
const seconds = (performance.now() - started) / 1000
const [deciding = 0, matching = 0] = await Promise.all(processes.map((process) => process.stop()))

const { viewStore } = system
const componentOfGraph = new Map(
  rows(viewStore, graphs, {}).map(({ graph, component }) => [graph, component]),
)
let shown = 0
for (const { id, graph, placeholder } of rows(viewStore, members, {})) {
  if (placeholder === 1) continue
  shown++
  expectSame(`component of ${id}`, componentOfGraph.get(graph), componentOf.get(id))
}
expectSame('works in graphs', shown, works)
expectSame('graphs', componentOfGraph.size, new Set(componentOf.values()).size)
const documents = rows(viewStore, merged, {})
expectSame('documents', documents.length, works)
for (const { work, component } of documents)
  expectSame(`document of ${work}`, component, componentOf.get(work))
const waiting = rows(viewStore, graphs, {}).filter(
  ({ waitingSince, fault }) => waitingSince !== null || fault !== null,
)
expectSame('graphs that wait or have a fault', waiting.length, 0)

printTable(`${messages.length.toLocaleString('en')} messages of ${works.toLocaleString('en')} works`, [
  {
    what: 'topic to views, two processes',
    ours: messages.length / seconds,
    beside: 'wanted',
    theirs: 5000,
    unit: '/s',
    promise: 1,
  },
])
console.log(
  `${seconds.toFixed(1)} s; seconds of processor: deciding and merging ${deciding.toFixed(1)}, matching and folding ${matching.toFixed(1)}`,
)
await dispose()
