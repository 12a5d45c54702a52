import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { DownloadFailure, parseHosts } from '@fonds/download'
import { createFetchClient } from '@fonds/download/client'
import { download, openPart } from '@fonds/download/http'

const [hosts = '', folder = '', ...addresses] = process.argv.slice(2)
const allowed = { hosts: parseHosts(hosts) ?? [], content: 'films', setting: 'the first argument' }
const client = createFetchClient()
const watch = { signal: AbortSignal.timeout(3600_000), progress: () => {} }
await mkdir(folder, { recursive: true })

for (const uri of addresses) {
  const part = await openPart({ folder, key: 'film', uri, staleMillis: 60_000 })
  try {
    const before = part.size
    const options = { client, allowed, stallMillis: 30_000, maxBytes: 1024 ** 3, tries: 5 }
    await download(uri, part, undefined, options, watch)
    console.log(`${part.size} bytes, ${before} of them from before: ${part.hash().slice(0, 8)}…`)
    await rename(part.path, join(folder, 'film'))
    await part.discard()
  } catch (error) {
    await part.leave()
    if (!(error instanceof DownloadFailure)) throw error
    console.log(error.message)
  }
}
await client.close()
