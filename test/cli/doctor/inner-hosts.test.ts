import { expect, it } from 'vitest'
import { openViewStore } from '#infra/views/sqlite/view-store.ts'
import { innerHosts } from '#src/cli/doctor/inner-hosts.ts'
import { MINUTE } from '#src/domain/kernel/time.ts'
import { research } from '#src/projections/research/projection.ts'
import { catchUp } from '#src/projections/runtime/catch-up.ts'
import { itemsWorld } from '../../processors/research/items-world.ts'

it('says which named hosts are inner, and nothing of public ones', async () => {
  const viewStore = openViewStore(':memory:')
  const config = {
    ingestHosts: '*,127.0.0.1,192.0.2.7',
    mediaHosts: '.radio.example,[::1],localhost,10.1.2.3',
  }
  expect(await innerHosts({ viewStore, config })).toEqual([
    {
      check: 'inner hosts',
      status: 'ok',
      says: 'FONDS_INGEST_HOSTS lets what comes over HTTP lead to 127.0.0.1, not public',
    },
    {
      check: 'inner hosts',
      status: 'ok',
      says: 'FONDS_MEDIA_HOSTS lets what comes over HTTP lead to [::1], localhost, 10.1.2.3, not public',
    },
  ])
  expect(await innerHosts({ viewStore, config: {} })).toEqual([])
  viewStore.close()
})

it('says what of strangers was refused since it leads inside', async () => {
  const world = itemsWorld()
  await world.curate('clip', 'a', 'b')
  const error =
    'http://10.0.0.1/a leads to 10.0.0.1, which is no public address; add 10.0.0.1 itself to FONDS_MEDIA_HOSTS, or offer it elsewhere'
  const policy = { attempts: 1, backoffSeconds: 60 }
  const failed = { type: 'Fail', stage: 'download', episode: 'e', researcher: 'r', policy }
  await world.on('clip', 'a', { ...failed, error })
  await world.on('clip', 'b', { ...failed, error: 'answered 404' })
  await world.clock.advance(MINUTE)
  await catchUp({ eventStore: world.eventStore, viewStore: world.viewStore, projections: [research] })
  expect(await innerHosts({ viewStore: world.viewStore, config: {} })).toEqual([
    {
      check: 'inner hosts',
      status: 'warn',
      says: `1 recording named over HTTP leads to no public address: ${error}`,
      todo: expect.stringContaining('`FONDS_MEDIA_HOSTS=*,<host>`'),
    },
  ])
})
