import { onTestFinished, vi } from 'vitest'
import { openBucket } from '#infra/s3/bucket.ts'
import { orThrow } from '#src/async/unavailable.ts'
import { batches } from '#src/domain/ingest/views.ts'
import { rowsIfFolded } from '#src/domain/kernel/read-views.ts'
import { ingestCauses } from '#src/workflows/ingest/attention.ts'
import { startS3 } from '../../fakes/s3-server.ts'
import { ingestWorld, until } from './ingest-world.ts'

/* Things that depositors put below a prefix in a bucket, and that are taken in by themselves. */

export const withoutWorkers = ['processors', 'reactions', 'projections'] as const

export const dropsWorld = async (
  settings: Parameters<typeof ingestWorld>[0] = {},
  roles?: Parameters<typeof ingestWorld>[1],
) => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'any')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'any')
  const s3 = await startS3()
  onTestFinished(() => s3.close())
  const ingest = await ingestWorld(
    {
      s3Endpoint: s3.endpoint,
      ingestDrops: 'default=s3://bucket/in coming',
      ingestDropSeconds: 1,
      ...settings,
    },
    roles,
  )
  const client = openBucket('bucket', { endpoint: s3.endpoint })
  onTestFinished(() => client.close())
  const put = (key: string, text: string) => client.put(`in coming/${key}`, Buffer.from(text))
  const rows = () => rowsIfFolded(ingest.system.viewStore, batches, {})
  const over = (count: number) =>
    until(`${count} batches are over`, () => {
      const found = rows()
      const ended = found.filter(({ state }) => state === 'completed' || state === 'failed')
      return ended.length === count && found.length === count ? found : undefined
    })
  const keys = async () => {
    const found: string[] = []
    for await (const { objects } of client.list({})) found.push(...objects.map(({ key }) => key))
    return found
  }
  return { s3, ingest, client, put, rows, over, keys }
}

type Ingest = Awaited<ReturnType<typeof ingestWorld>>

/** Causes on the page that speak of places of drops. */
export const dropCauses = async ({ system }: Ingest) =>
  (await ingestCauses(system as never)).filter(({ key }) => key.startsWith('drops/'))

export const dropEventsIn = async ({ system }: Ingest) => {
  const all = await orThrow(system.eventStore.readAll(-1n, { categories: ['ingestDrop'] }, 100))
  return all.events
}
