import { describe, it } from 'vitest'
import { storeDecider } from '#src/domain/fixity/store/decide.ts'
import { defaultPolicy, type StoreEvent } from '#src/domain/fixity/store/events.ts'
import { specify } from '../../../given.ts'

const given = specify(storeDecider)
const at = '2026-01-31T12:00:00.000Z'
const registered = (root: string): StoreEvent => ({
  type: 'StoreRegistered',
  data: { kind: 'folder', root, policy: defaultPolicy, at },
})
const asked = { prefix: '', days: 10, tier: 'Bulk', objects: 2, bytes: 6, reason: 'a check', at } as const
const data = { root: 's3://archive/main', ...asked }
const restore = { type: 'RestoreArchived', store: 'main', actor: 'ada', ...data } as const

describe('restoring archived objects', () => {
  it('is recorded each time it is asked for', () => {
    const requested: StoreEvent = { type: 'RestoreRequested', data }
    given(registered(data.root)).when(restore).gives([requested])
    given(registered(data.root), requested).when(restore).gives([requested])
  })

  it('of one item names it', () => {
    given(registered(data.root))
      .when({ ...restore, path: 'a' })
      .gives([{ type: 'RestoreRequested', data: { ...data, path: 'a' } }])
  })

  it('is refused where the store is elsewhere, is a folder, or is not registered', () => {
    given(registered('s3://archive/other')).when(restore).gives('moved-meanwhile')
    given(registered('/archive'))
      .when({ ...restore, root: '/archive' })
      .gives('no-bucket')
    given().when(restore).gives('unknown-store')
  })
})
