import type { DossierEvent } from '../../domain/chain/events.ts'
import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import type { Handlers } from '../runtime/projection.ts'
import { changeVersion, putDossier } from './standing.ts'
import type { ChainTables, DossierRow, VersionRow } from './tables.ts'

/** Objects and their versions, by the events of their dossiers. */
export const dossierHandlers: Handlers<DossierEvent, ChainTables> = {
  ObjectStored: (data, event, tables) => {
    const object = idOf(event.stream)
    const { version, batch = null, job = null, profile = null, files, bytes, at: storedAt } = data
    const { rules = ['fixity'] } = data
    for (const name of data.localIds) tables['chain-names'].put({ name, object })
    const stored = { object, version, batch, profile, files, bytes, storedAt }
    const known = tables['chain-dossiers'].get(object)
    if (!known || known.version <= version)
      putDossier(
        tables,
        known,
        { ...(known ?? unknown(object, storedAt)), ...stored, reason: null },
        event.recordedAt,
      )
    changeVersion(
      tables,
      undefined,
      {
        ...stored,
        job,
        rules: rules.join(','),
        listedAt: null,
        indexingFailure: null,
        handedOverAt: null,
        store: null,
        failure: null,
        parts: 0,
        verified: 0,
        failing: 0,
        ...noArchives,
        verifiedAt: null,
      },
      event.recordedAt,
    )
  },
  ContentHandedOver: ({ version, rule, store, parts, shared, at }, event, tables) =>
    change(tables, event, version, (row) =>
      rule === 'indexing'
        ? { ...row, listedAt: at, indexingFailure: null }
        : { ...row, store, handedOverAt: at, failure: null, parts: row.parts + parts + shared },
    ),
  HandOverFailed: ({ version, rule, reason }, event, tables) =>
    change(tables, event, version, (row) =>
      rule === 'indexing' ? { ...row, indexingFailure: reason } : { ...row, failure: reason },
    ),
  ArchivesListed: ({ version, store, files }, event, tables) => {
    for (const { name, path, sha256 } of files)
      tables['chain-archives'].put({
        ...{ repository: store, name, object: idOf(event.stream), version, path, sha256 },
        ...{ state: 'waiting', finding: null, since: null, captures: null },
        ...{ indexedAt: null, failedBy: null, indexedBy: null },
      })
    change(tables, event, version, (row) => ({ ...row, archives: row.archives + files.length }))
  },
  PartsVerified: ({ version, at }, event, tables) =>
    change(tables, event, version, (row) => ({ ...row, verifiedAt: at })),
  VersionsWithdrawn: ({ keep }, event, tables) => {
    const at = event.recordedAt
    const object = idOf(event.stream)
    const dossier = tables['chain-dossiers'].get(object)
    if (!dossier) return
    for (let version = keep + 1; version <= dossier.version; version++)
      changeVersion(tables, tables['chain-versions'].get(object, version), undefined, at)
    const left = tables['chain-dossiers'].get(object)!
    const last = tables['chain-versions'].get(object, keep)
    const { files, bytes, batch, profile, storedAt } = last ?? left
    putDossier(tables, left, { ...left, version: keep, files, bytes, batch, profile, storedAt }, at)
  },
  ContentWithdrawn: ({ keep, shared }, event, tables) =>
    change(tables, event, keep, (row) => ({ ...row, parts: row.parts + shared })),
  DossierClosed: ({ reason }, event, tables) => {
    const dossier = tables['chain-dossiers'].get(idOf(event.stream))
    if (dossier) putDossier(tables, dossier, { ...dossier, reason }, event.recordedAt)
  },
}

const change = (
  tables: ChainTables,
  event: RecordedEvent,
  version: number,
  changed: (row: VersionRow) => VersionRow,
): void => {
  const row = tables['chain-versions'].get(idOf(event.stream), version)
  if (row) changeVersion(tables, row, changed(row), event.recordedAt)
}

const noArchives = { archives: 0, indexed: 0, unindexed: 0, captures: 0 } as const

const unknown = (object: string, at: string): DossierRow => ({
  object,
  state: 'working',
  version: 0,
  batch: null,
  profile: null,
  files: 0,
  bytes: 0,
  storedAt: at,
  waiting: 0,
  stuck: 0,
  parts: 0,
  verified: 0,
  failing: 0,
  ...noArchives,
  since: at,
  reason: null,
})
