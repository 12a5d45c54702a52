import * as TE from 'fp-ts/lib/TaskEither.js'
import { describe, expect, it } from 'vitest'
import { type BatchEvent, batchStream, type IntactItem } from '#src/domain/fixity/batch/events.ts'
import { itemStream } from '#src/domain/fixity/item.ts'
import type { DomainEvent, RecordedEvent } from '#src/domain/kernel/event.ts'
import { lastDecision } from '#src/projections/fixity/questions/evidence.ts'
import { witnessesOf } from '#src/projections/fixity/questions/witnesses.ts'
import { claimed, history, item, observe, recorded, start, t } from '../../../domain/fixity/commands.ts'
import { sha256 } from '../../../domain/fixity/witnesses.ts'

/** A log of events in the order given. */
const logOf = (given: readonly (readonly [stream: string, event: DomainEvent])[]) => {
  const revisions = new Map<string, bigint>()
  const all = given.map(([stream, event], i): RecordedEvent => {
    const revision = (revisions.get(stream) ?? -1n) + 1n
    revisions.set(stream, revision)
    const metadata = { actor: 'ada', causationId: 'c', correlationId: 'c', schema: 1 }
    return { ...event, id: `${i}`, stream, revision, position: BigInt(i), recordedAt: start, metadata }
  })
  return {
    read: (stream: string, from: bigint | 'start' | 'end', direction: string, limit: number) => {
      const own = all.filter((event) => event.stream === stream)
      const found =
        direction === 'forward'
          ? own.filter(({ revision }) => revision >= BigInt(from))
          : own.filter(({ revision }) => revision <= BigInt(from)).toReversed()
      return TE.right(found.slice(0, limit))
    },
    readAll: (after: bigint, _: unknown, limit: number) => {
      const events = all.filter(({ position }) => position > after).slice(0, limit)
      return TE.right({ events, position: events.at(-1)?.position ?? after, caughtUp: true })
    },
  }
}

const own = (events: readonly DomainEvent[]) => events.map((event) => [itemStream(item), event] as const)

const inBatch = (revision: number, more: Partial<IntactItem> = {}): readonly [string, BatchEvent] => [
  batchStream('one'),
  {
    type: 'BatchChecked',
    data: {
      store: item.store,
      worker: 'w',
      intact: [
        {
          pattern: 'A?AA',
          row: 'clause 6',
          because: 'The bytes are as recorded.',
          items: [
            {
              path: item.path,
              revision,
              size: 1,
              checksums: { 'sha-256': sha256('A').value },
              version: 'v1',
              modifiedAt: t(0),
              observedAt: t(2),
              dueAt: t(9000),
              ...more,
            },
          ],
        },
      ],
      others: 0,
    },
  },
]

describe('the last decision', () => {
  it('is the last of the item’s own stream, with each witness as it was heard', async () => {
    const life = history([recorded()], observe('AAAA', 1), observe('BAAA', 2))
    const log = logOf(own([...life, claimed(9, 1)]))
    const decision = await lastDecision(log, item, BigInt(life.length), undefined)
    expect(decision).toMatchObject({ outcome: 'failure', pattern: 'ABBB', row: 'F2', observedAt: t(2) })
    expect(witnessesOf(decision!)).toMatchObject([
      { witness: 'bytes', mark: 'A', says: 'read', checksums: expect.arrayContaining([sha256('B')]) },
      { witness: 'storage', mark: 'B', says: 'present' },
      { witness: 'content index', mark: 'B', says: 'recorded' },
      {
        witness: 'audit log',
        mark: 'B',
        checksums: expect.arrayContaining([sha256('A')]),
        source: 'manifest',
      },
      // What the observer said of it stands beside our own record.
      { witness: 'audit log', mark: null, says: 'recorded', source: 'observer' },
    ])
  })

  it('of a batch is compared with the record that the item had at its claim, not with a later one', async () => {
    const log = logOf([...own([recorded('A')]), inBatch(0), ...own([recorded('B', 5)])])
    const decision = await lastDecision(log, item, 1n, 1n)
    expect(decision).toMatchObject({ position: 1n, outcome: 'success', row: 'clause 6' })
    expect(witnessesOf(decision!)).toMatchObject([
      { witness: 'bytes', mark: 'A', checksums: [sha256('A')], source: 'w', heardAt: t(2) },
      { witness: 'storage', mark: '?', says: 'present, claims no checksum', checksums: [] },
      { witness: 'content index', mark: 'A', checksums: [sha256('A')], source: 'own index' },
      { witness: 'audit log', mark: 'A', checksums: [sha256('A')], heardAt: t(0) },
    ])
  })

  it('of a batch has what a bucket claimed, and the version that was read', async () => {
    const claims = { md5: 'b'.repeat(32) }
    const log = logOf([...own([recorded('A')]), inBatch(0, { claims, versionId: 'v-1' })])
    const decision = await lastDecision(log, item, 0n, 1n)
    expect(decision?.evidence.storage).toMatchObject({
      checksums: [{ algorithm: 'md5', value: claims.md5 }],
      versionId: 'v-1',
    })
  })

  it('is what its own stream decided since a batch, and none where nobody ever looked', async () => {
    const life = history([recorded()], observe('BAAA', 3))
    const log = logOf([...own(life.slice(0, 1)), inBatch(0), ...own(life.slice(1))])
    expect(await lastDecision(log, item, BigInt(life.length - 1), 1n)).toMatchObject({ outcome: 'failure' })
    expect(await lastDecision(logOf(own([recorded()])), item, 0n, undefined)).toBeUndefined()
  })
})
