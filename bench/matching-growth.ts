import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openViewStore } from '../infra/views/sqlite/view-store.ts'
import { viewCheckpoint } from '../src/async/checkpoint.ts'
import type { DomainEvent, RecordedEvent } from '../src/domain/kernel/event.ts'
import { graphStream } from '../src/domain/matching/graph/events.ts'
import { mergedStream } from '../src/domain/matching/merged/events.ts'
import { workStream } from '../src/domain/matching/work.ts'
import { matching } from '../src/projections/matching/projection.ts'
import { foldBatch } from '../src/projections/runtime/fold.ts'
import { chooseGeneration } from '../src/projections/runtime/generation.ts'
import { idOf } from './catalogue.ts'
import { expectSame, median, printTable } from './table.ts'

/*
 * A catalogue of small components grows: the processor's time that views cost for the last 10,000 works, beside the first. Pairs and works that are
 * alone, whose ids come in no order. `node bench/matching-growth.ts [works]`
 */

const works = Number(process.argv[2] ?? 1_000_000)
const blockSize = 10_000
const at = '2026-01-01T00:00:00.000Z'
/** Works of a transaction, three events each: what is gathered while more is waiting. */
const batchSize = 10_000

const folder = mkdtempSync(join(tmpdir(), 'fonds-bench-'))
const file = join(folder, 'views.db')
const viewStore = openViewStore(file)
const generation = chooseGeneration(viewStore, matching)
if (generation.status === 'building') viewStore.promote(generation)
const checkpoints = viewCheckpoint(viewStore, generation)
let checkpoint = viewStore.checkpoint(generation)
let position = checkpoint.position
let graphRevision = -1n
let version = 1_000

const recorded = (stream: string, revision: bigint, event: DomainEvent): RecordedEvent => ({
  ...event,
  id: `${++position}`,
  stream,
  revision,
  position,
  recordedAt: at,
  metadata: { actor: 'bench', causationId: 'bench', correlationId: 'bench', schema: 1 },
})

/** What intake, matcher and merger write of some works: two of three are a pair. */
const eventsOf = (first: number): readonly RecordedEvent[] => {
  const ids = Array.from({ length: batchSize }, (_, i) => idOf(first + i))
  const components = ids.flatMap((id, i) =>
    i % 3 === 0 ? [[id]] : i % 3 === 1 ? [[id, ids[i + 1]!].filter(Boolean).sort()] : [],
  )
  version++
  return [
    ...ids.map((id, i) =>
      recorded(workStream(id), 0n, {
        type: 'WorkObserved',
        data: {
          source: 'library',
          sourceVersion: 1,
          sourceModifiedAt: at,
          state: 'visible',
          title: `Work ${id}`,
          links: i % 3 === 2 ? [{ to: ids[i - 1], reasons: ['same as'] }] : [],
          fields: { shelf: id, subjects: ['a subject'] },
          at,
        },
      }),
    ),
    recorded(graphStream(1), ++graphRevision, {
      type: 'GraphChanged',
      data: {
        version,
        timeSent: at,
        through: '0',
        causes: ids.map((work) => ({ work, revision: 0, type: 'WorkObserved' })),
        groups: components.map((members) => ({
          component: members[0],
          size: members.length,
          piece: 0,
          pieces: 1,
          members: members.map((id) => [id, 0]),
          placeholders: [],
        })),
        dropped: [],
      },
    }),
    ...components.flatMap(([target, ...others]) => [
      recorded(mergedStream(target!), 0n, {
        type: 'WorkMerged',
        data: {
          generation: 1,
          version,
          document: {
            kind: 'merged',
            component: target,
            size: others.length + 1,
            from: others,
            fields: { shelf: target, subjects: ['a subject'] },
            title: `Work ${target}`,
          },
          at,
        },
      }),
      ...others.map((id) =>
        recorded(mergedStream(id), 0n, {
          type: 'WorkMerged',
          data: { generation: 1, version, document: { kind: 'redirect', component: target, to: target }, at },
        }),
      ),
    ]),
  ]
}

/** Milliseconds of processor for each block. */
const blocks: number[] = []
for (let first = 0; first < works; first += blockSize) {
  let millis = 0
  for (let from = first; from < first + blockSize; from += batchSize) {
    const events = eventsOf(from)
    const before = process.cpuUsage()
    const folded = foldBatch(checkpoints, matching, checkpoint, { events, position })
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
