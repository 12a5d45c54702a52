import './as-fonds.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openProofLog } from '../infra/proof/proof-log.ts'
import { openViewStore } from '../infra/views/sqlite/view-store.ts'
import { createExaminations } from '../src/app/proof/check/examine-log.ts'
import { beginSealing } from '../src/app/proof/open-sealing.ts'
import { orThrow } from '../src/async/unavailable.ts'
import type { Clock } from '../src/ports/clock.ts'
import { ingest } from '../src/projections/ingest/projection.ts'
import { rebuild } from '../src/projections/runtime/rebuild.ts'
import { fillIngestLog } from './ingest-log.ts'
import { expectSame, printTable } from './table.ts'

/*
 * Rebuild of the views of ingest that compares each sealed event with the tree, beside one that does not, in processor time: with the
& `node bench/rebuild-compared.ts [jobs] [rounds]`
 */

const jobs = Number(process.argv[2] ?? 8000)
const rounds = Number(process.argv[3] ?? 3)
/** Of the time without. */
const promised = 1.15

const folder = mkdtempSync(join(tmpdir(), 'fonds-compared-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

const { store, events } = fillIngestLog(join(folder, 'log.db'), jobs)
const files = openProofLog({
  folder: join(folder, 'proof'),
  keyFolder: join(folder, 'key'),
  headsFile: join(folder, 'proof-heads.db'),
})
const clock = { now: () => new Date().toISOString() } as Clock

const seal = async (): Promise<void> => {
  const keys = await files.makeKeys()
  const sealing = await beginSealing(
    { files, keys, eventStore: store, now: Date.now },
    { origin: 'fonds.local/bench' },
  )
  for (let caughtUp = false; !caughtUp; ) {
    const page = await orThrow(store.readStored(sealing.position, {}, 500))
    await sealing.add(page)
    caughtUp = page.caughtUp
  }
  await sealing.publish()
  sealing.close()
}

let made = 0
const microsOf = async (keepsHistory: boolean, isCompared: boolean): Promise<number> => {
  const viewStore = openViewStore(join(folder, `${made++}.db`), { keepsHistory })
  const examine = createExaminations({ eventStore: store, proofLog: async () => files, clock })
  const before = process.cpuUsage()
  const examination = isCompared ? await examine(ingest.filter) : undefined
  await rebuild(ingest, { ...{ eventStore: store, viewStore }, ...(examination && { examination }) })
  const { user, system } = process.cpuUsage(before)
  viewStore.close()
  expectSame('comparisons', examination?.found()?.verdict ?? 'none', isCompared ? 'same' : 'none')
  return (user + system) / events
}

await seal()
const lines = []
for (const keepsHistory of [true, false]) {
  const pairs: { readonly without: number; readonly compared: number }[] = []
  for (let round = 0; round < rounds; round++) {
    const without = await microsOf(keepsHistory, false)
    pairs.push({ without, compared: await microsOf(keepsHistory, true) })
  }
  const { without, compared } = pairs.toSorted((a, b) => a.compared / a.without - b.compared / b.without)[
    rounds >> 1
  ]!
  lines.push({
    ...{ what: `past of rows ${keepsHistory ? 'kept' : 'not kept'}, an event`, unit: 'µs' },
    ...{ ours: compared, beside: '1.15 × without comparing', theirs: promised * without },
    ...{ ratio: (promised * without) / compared, ...(keepsHistory && { promise: 1 }) },
  })
}
printTable(`rebuild of ${events.toLocaleString('en')} sealed events`, lines)
await store.close()
