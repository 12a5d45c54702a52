import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { systemClock } from '#src/async/system-clock.ts'
import type { Elsewhere } from '#src/workers/indexing/file-stat.ts'
import { createRemoteFiles } from '#src/workers/indexing/remote/remote-files.ts'
import { createStreams } from '#src/workers/indexing/streams/streams.ts'

const contentStoreModule = new URL('../../../infra/content/open-content.ts', import.meta.url)

interface ElsewhereOptions {
  readonly hosts?: string
  /** Settings of content stores: how buckets are reached. */
  readonly contentSettings?: object
  readonly stallMillis?: number
  readonly tries?: number
}

/** Ways to files on servers, for one test. */
export const useElsewhere = (
  folder: string,
  { hosts, contentSettings, stallMillis = 60_000, tries = 2 }: ElsewhereOptions = {},
): Elsewhere => {
  const streams = createStreams(2, { contentStoreModule, contentSettings })
  const remote = createRemoteFiles({
    folder: join(folder, 'fetched'),
    hosts,
    stallMillis,
    clock: systemClock,
    tries,
  })
  onTestFinished(async () => {
    await streams.close()
    await remote.close()
  })
  return { streams, remote, http: { ...(hosts !== undefined && { hosts: [hosts] }), stallMillis } }
}
