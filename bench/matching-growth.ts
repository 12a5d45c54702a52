import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openViewStore } from '../infra/views/sqlite/view-store.ts'
import { viewCheckpoint } from '../src/async/checkpoint.ts'
import { matching } from '../src/projections/matching/projection.ts'
import { foldBatch } from '../src/projections/runtime/fold.ts'
import { chooseGeneration } from '../src/projections/runtime/generation.ts'
import { growingCatalogue } from './growing-catalogue.ts'
import { expectSame, median, printTable } from './table.ts'

/*
 * A catalogue of small components grows: the processor's time that views cost for the last 10,000 works, beside the first. Pairs and works that are
 * alone, whose ids come in no order. `node bench/matching-growth.ts [works]`
 */

const works = Number(process.argv[2] ?? 1_000_000)
const blockSize = 10_000
/** Works of a transaction, three events each: what is gathered while more is waiting. */
const batchSize = 10_000

const folder = mkdtempSync(join(tmpdir(), 'fonds-bench-'))
const file = join(folder, 'views.db')
const viewStore = openViewStore(file)
const generation = chooseGeneration(viewStore, matching)
if (generation.status === 'building') viewStore.promote(generation)
const checkpoints = viewCheckpoint(viewStore, generation)
let checkpoint = viewStore.checkpoint(generation)
const catalogue = growingCatalogue()

/** Milliseconds of processor for each block. */
const blocks: number[] = []
for (let first = 0; first < works; first += blockSize) {
  let millis = 0
  for (let from = first; from < first + blockSize; from += batchSize) {
    const events = catalogue.grow(from, batchSize)
    const before = process.cpuUsage()
    const folded = foldBatch(checkpoints, matching, checkpoint, {
      events,
      position: catalogue.position(),
    })
    const { user, system } = process.cpuUsage(before)
    millis += (user + system) / 1000
    if (folded._tag === 'Left') throw new Error('somebody else folds')
    checkpoint = folded.right
  }
  blocks.push(millis)
}
expectSame('documents', viewStore.tally('matching-merged', { by: ['generation'] })[0]?.count, works)
const few = Math.min(5, blocks.length >> 1)
const perSecond = (some: readonly number[]) => (blockSize / median(some)) * 1000
printTable(`${works.toLocaleString('en')} works`, [
  {
    what: 'the last 10,000 works folded',
    ours: perSecond(blocks.slice(-few)),
    beside: 'the first',
    theirs: perSecond(blocks.slice(0, few)),
    unit: '/s',
    promise: 0.77,
  },
])
viewStore.close()
rmSync(folder, { recursive: true, force: true })
