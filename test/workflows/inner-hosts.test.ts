import { expect, it } from 'vitest'
import type { System } from '#src/app/system.ts'
import { MINUTE } from '#src/domain/kernel/time.ts'
import type { ViewQuery } from '#src/domain/kernel/view.ts'
import { research } from '#src/projections/research/projection.ts'
import { catchUp } from '#src/projections/runtime/catch-up.ts'
import { reasonsOfFiles } from '#src/workflows/indexing/checks.ts'
import { messagesOfJobs } from '#src/workflows/ingest/checks.ts'
import { innerHosts, ledInside } from '#src/workflows/inner-hosts.ts'
import { errorsOfMedia } from '#src/workflows/research/checks.ts'
import { itemsWorld } from '../processors/research/items-world.ts'

it('says which named hosts are inner, and nothing of public ones', async () => {
  expect(
    await innerHosts('FONDS_MEDIA_HOSTS', '.radio.example,*,[::1],localhost,10.1.2.3,192.0.2.7'),
  ).toEqual([
    {
      check: 'inner hosts',
      status: 'ok',
      says: 'FONDS_MEDIA_HOSTS lets what comes over HTTP lead to [::1], localhost, 10.1.2.3, not public',
    },
  ])
  expect(await innerHosts('FONDS_MEDIA_HOSTS', undefined)).toEqual([])
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
  expect(ledInside('FONDS_MEDIA_HOSTS', 'recording', errorsOfMedia(world.viewStore))).toEqual([
    {
      check: 'inner hosts',
      status: 'warn',
      says: `1 recording named over HTTP leads to no public address: ${error}`,
      todo: expect.stringContaining('`FONDS_MEDIA_HOSTS=*,<host>`'),
    },
  ])
})

it('looks at the newest of many alone, and says so', () => {
  const asked: ViewQuery[] = []
  const message = 'http://10.0.0.1/a leads to 10.0.0.1, which is no public address'
  const query = (view: string, wanted: ViewQuery) => {
    asked.push(wanted)
    return view === 'ingest-jobs' ? Array(Math.min(wanted.limit ?? 5000, 5000)).fill({ message }) : []
  }
  const viewStore = { query } as unknown as System['viewStore']
  const [finding] = ledInside('FONDS_INGEST_HOSTS', 'job', messagesOfJobs(viewStore))
  expect(finding?.says).toContain('at least 1,000 jobs named over HTTP lead')
  reasonsOfFiles(viewStore)
  errorsOfMedia(viewStore)
  expect(asked).toHaveLength(4)
  for (const { limit, orderBy } of asked) {
    expect(limit).toBe(1000)
    expect(orderBy?.[0]?.descending).toBe(true)
  }
})
