import * as E from 'fp-ts/lib/Either.js'
import { isBucketAddress } from '../../kernel/bucket-address.ts'
import { defined } from '../defined.ts'
import type { NoteRestoreAnswer, RestoreArchived } from './commands.ts'
import { type Decision, reject } from './rejections.ts'
import type { StoreRegistration } from './state.ts'

/** Records that somebody has archived objects restored, before the bucket is asked: a restoration costs money. */
export const restoreArchived = (command: RestoreArchived, { root: present }: StoreRegistration): Decision => {
  const { store, root, prefix, path, days, tier, objects, bytes, reason, at } = command
  if (!isBucketAddress(root))
    return reject('no-bucket', `store ${store} is no bucket: nothing of it is archived`)
  if (present !== root)
    return reject(
      'moved-meanwhile',
      `store ${store} is at ${present ?? 'no root'} now, and no longer at ${root}; restore there`,
    )
  const data = { root, prefix, days, tier, objects, bytes, reason, at, ...(path !== undefined && { path }) }
  return E.right([{ type: 'RestoreRequested', data }])
}

export const noteRestoreAnswer = (command: NoteRestoreAnswer): Decision => {
  const { root, prefix, path, accepted, refused, why, at } = command
  return E.right([
    { type: 'RestoreAnswered', data: { root, prefix, accepted, refused, at, ...defined({ path, why }) } },
  ])
}
