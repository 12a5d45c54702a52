import * as t from 'io-ts'
import { decider } from '../../domain/fixity/decide.ts'
import { versionFields } from '../../domain/fixity/events.ts'
import { itemStream, Path, StoreName } from '../../domain/fixity/item.ts'
import type { VersionSeen } from '../../domain/fixity/version-check.ts'
import { operatorCommand } from '../runtime/operator-command.ts'
import { routeTo } from '../runtime/route.ts'

/** No command of `fonds do`: `fonds fixity check --version-id` gives it once it has read the version. */
export const noteVersion = operatorCommand({
  name: 'fixity.note-version',
  description: 'Records what was found of one version of an item, which may not be the current one.',
  codec: t.type({ store: StoreName, path: Path, ...versionFields }),
  example: {
    store: 'main',
    path: 'letters/03.tif',
    versionId: '3sL4kqtJlcpXroDTDmJrmSpXd3dIbrHY',
    content: {
      status: 'read',
      size: 4,
      checksums: [{ algorithm: 'md5', value: '74b87337454200d4d33f80c4663dc5e5' }],
    },
    storage: { status: 'present', checksums: [] },
    records: [],
    observedAt: '2026-01-31T12:00:00.000Z',
  },
  route: ({ store, path, versionId, observedAt, content, storage, records }, by) =>
    routeTo(decider, itemStream({ store, path }), {
      type: 'CheckVersion',
      item: { store, path },
      versionId,
      // The command line gives no other: see `fonds fixity check`.
      seen: { content, storage, records } as VersionSeen,
      observedAt,
      ...by,
    }),
})
