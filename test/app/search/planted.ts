import type { Row } from '#src/domain/kernel/view.ts'
import type { ViewStore } from '#src/ports/view-store.ts'
import type { Projection } from '#src/projections/runtime/projection.ts'

/** Rows by the names of their views; columns that are not given are null. */
export type Rows = Readonly<Record<string, Iterable<Row>>>

/** Puts rows into the views of projections, as if events had led to them. */
export const plant = (viewStore: ViewStore, projections: readonly Projection[], rows: Rows): void => {
  for (const { name, version, views } of projections) {
    const generation = viewStore.create(name, version, views)
    viewStore.promote(generation)
    viewStore.fold(generation, -1n, { position: 1n, time: '2026-11-30T00:00:00.000Z' }, (tables) => {
      for (const view of views) for (const row of rows[view.name] ?? []) tables[view.name]?.put(row)
    })
  }
}

/** A thing or two of each kind. */
export const archive: Rows = {
  'fixity-stores': [
    { store: 'main', kind: 'folder', root: '/srv/archive' },
    { store: 'vault', kind: 'external' },
    { store: 'cloud', kind: 'folder', root: 's3://bucket/kept' },
  ],
  'fixity-items': [
    ...['03.tif', '04.tif', '10%_a.tif', '10xya.tif'].map((name) => item('main', `letters/1912/${name}`)),
    item('vault', 'letters/1912/03.tif', 'failed'),
    item('main', '-odd name'),
    item('main', '..hidden/x'),
    item('cloud', 'deep/key.tif'),
  ],
  'ingest-batches': [
    {
      batch: '5f0c1d2e-0000-7000-8000-000000000001',
      number: 7,
      state: 'closed',
      collection: 'letters',
      submitter: 'ada',
      title: 'Letters of Ada',
    },
  ],
  'ingest-jobs': [
    { job: 12, batch: '5f0c1d2e-0000-7000-8000-000000000001', state: 'completed', title: 'Letter 3' },
  ],
  'ingest-objects': [{ object: 'ark:/99999/fk4abc', version: 2, files: 3, title: 'Letter 3' }],
  'ingest-local-ids': [
    { owner: 'library', localId: 'MS-1912', ark: 'ark:/99999/fk4abc' },
    { owner: 'museum', localId: 'MS-1912', job: 12 },
  ],
  'ingest-files': [{ object: 'ark:/99999/fk4abc', version: 1, path: 'data/03.tif', sha256: 'ab'.repeat(32) }],
  'ingest-profiles': [{ profile: 'letters', collection: 'letters' }],
  'indexing-files': [{ repository: 'main', name: 'museum-2025.warc.gz', state: 'indexed' }],
  'matching-works': [
    { work: 'h3xb4', title: 'Herbal', source: 'library', state: 'visible' },
    { work: 'h3xb5', title: 'Herbal, second part', source: 'library', state: 'visible' },
  ],
  'matching-placeholders': [{ id: 'n0ne', namedBy: 2 }],
  'research-episodes': [
    { episode: 'ep-1', title: 'Evening news', curator: 'radio', mediaUri: 'https://a.example/1.wav' },
  ],
  'research-clips': [{ clip: 'clip-1', title: 'Jingle', curator: 'radio' }],
  'research-researchers': [{ researcher: 'node-a' }],
  'research-leases': [{ lease: 'lease-1', episode: 'ep-1', state: 'ended', researcher: 'node-a' }],
  'dead-letters': [{ id: 'letter-1', topic: 'fonds.fixity.content', status: 'waiting' }],
  rejections: [
    { message: 'message-1', source: 's', processor: 'p', stream: 'fixity-main/a', because: 'it is older' },
  ],
}

function item(store: string, path: string, state = 'verified'): Row {
  return { store, path, folder: path.slice(0, Math.max(0, path.lastIndexOf('/'))), state }
}
