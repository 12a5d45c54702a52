import { archiveStream } from '#src/domain/chain/archive/events.ts'
import { dossierStream } from '#src/domain/chain/events.ts'
import { chainSource, versionText } from '#src/domain/chain/outputs.ts'
import type { RecordedEvent } from '#src/domain/kernel/event.ts'
import { chain } from '#src/projections/chain/projection.ts'
import { folding } from '../folding.ts'

export const object = 'ark:/99999/fk4abc'
export const at = '2026-11-30T12:00:00.000Z'

/** A log that a test writes down: only the fields that the chain reads. */
export const chainLog = () => {
  const events: RecordedEvent[] = []
  const revisions = new Map<string, bigint>()
  const add = (stream: string, type: string, data: object, actor = 'ada'): RecordedEvent => {
    const revision = (revisions.get(stream) ?? -1n) + 1n
    revisions.set(stream, revision)
    const position = BigInt(events.length + 1)
    const schema = ['ContentRecorded', 'ContentRemoved', 'FixityDecided'].includes(type) ? 2 : 1
    const event = {
      ...{ id: `${position}`, type, stream, revision, position, recordedAt: at },
      data: { at, ...data },
      metadata: { actor, causationId: 'c', correlationId: 'c', schema },
    }
    events.push(event)
    return event
  }
  const item = (path: string) => `fixity-storage/${path}`
  const decided = (path: string, outcome: string, more: object = {}) =>
    add(item(path), 'FixityDecided', {
      evidence: { content: { status: 'read' } },
      ...{ outcome, because: `it is a ${outcome}`, followUps: [], observedAt: at },
      ...more,
    })
  return {
    events,
    stored: (version: number, of = object, more: object = {}) =>
      add(dossierStream(of), 'ObjectStored', {
        ...{ version, files: 2, bytes: 10, inventoryDigest: 'd', localIds: ['box-7'], isLast: true },
        ...{ batch: 'b-1', job: 1, profile: 'default' },
        ...more,
      }),
    dossier: (type: string, data: object, of = object) => add(dossierStream(of), type, data),
    handedOver: (version: number, parts: number, shared = 0, of = object) =>
      add(dossierStream(of), 'ContentHandedOver', {
        ...{ version, rule: 'fixity', store: 'storage', parts, shared },
      }),
    recorded: (version: number, ...paths: readonly string[]) =>
      paths.map((path) =>
        add(item(path), 'ContentRecorded', { version: versionText(object, version) }, chainSource),
      ),
    recordedByOthers: (path: string) => add(item(path), 'ContentRecorded', { version: '2' }),
    item: (path: string, type: string, data: object) => add(item(path), type, data),
    decided,
    /** As they are: each entry names the last event of its item. */
    checked: (...paths: readonly string[]) =>
      add('fixityBatch-1', 'BatchChecked', {
        store: 'storage',
        intact: [
          {
            items: paths.map((path) => ({
              path,
              revision: Number(revisions.get(item(path)) ?? 0n),
              observedAt: at,
            })),
          },
        ],
      }),
    checkedAt: (path: string, revision: number) =>
      add('fixityBatch-1', 'BatchChecked', {
        store: 'storage',
        intact: [{ items: [{ path, revision, observedAt: at }] }],
      }),
    listed: (version: number, ...names: readonly string[]) =>
      add(dossierStream(object), 'ArchivesListed', {
        ...{ version, store: 'storage' },
        files: names.map((name) => ({ name, path: `x/${name}`, sha256: 'a'.repeat(64) })),
      }),
    handedToIndexing: (version: number, parts: number) =>
      add(dossierStream(object), 'ContentHandedOver', {
        ...{ version, rule: 'indexing', store: 'storage', parts, shared: 0, embargoUntil: 'none' },
      }),
    indexing: (name: string, type: string, data: object = {}) => add(`indexing-storage/${name}`, type, data),
    archive: (type: string, data: object) => add(archiveStream, type, { rule: 'fixity', ...data }),
  }
}
export type ChainLog = ReturnType<typeof chainLog>

export const foldedChain = () => folding(chain).folded(chainLog())
