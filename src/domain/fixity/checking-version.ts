import * as E from 'fp-ts/lib/Either.js'
import type { CheckVersion } from './commands.ts'
import { defined } from './defined.ts'
import type { FixityEvent } from './events.ts'
import { type Decision, unknownItem } from './rejections.ts'
import type { ItemState } from './state.ts'
import { versionVerdict } from './version-check.ts'

/** It changes nothing of the item: what is recorded, found and due is of the current version. */
export const checkVersion = (command: CheckVersion, state: ItemState): Decision => {
  const { item, versionId, seen, observedAt, reason, at } = command
  if (!state.known) return unknownItem(item)
  const { content, storage } = seen
  const records = seen.records.map(({ source, checksums, size }) => ({
    source,
    checksums: [...checksums],
    ...defined({ size }),
  }))
  const event: FixityEvent = {
    type: 'VersionChecked',
    data: { versionId, content, storage, records, ...versionVerdict(seen), observedAt, reason, at },
  }
  return E.right([event])
}
