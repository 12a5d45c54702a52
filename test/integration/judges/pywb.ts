import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { freePort } from '../../../infra/local/kafka/free-port.ts'
import { launch, until, useFolder } from '../../e2e/run-fonds.ts'
import { server } from '../servers.ts'

/* pywb, the replay software of many archives, as a server of its own with several collections of the same files. */

const pywb = server('pywb')

export const pywbIsAbsent = 'absent' in pywb

const program = 'address' in pywb ? pywb.address : ''

/** Archives that pywb's authors test it with; GPL, so they are looked at where they are. */
export const samples = join(dirname(program), '../samples')

/** Captures of archive files, or of those in a folder, by pywb's own indexer, in order. */
export const indexByPywb = (
  into: string,
  paths: readonly string[],
  options: readonly string[] = [],
): void => {
  execFileSync(join(dirname(program), 'cdx-indexer'), [
    ...['--cdxj', '--sort', '--output', into],
    ...options,
    ...paths,
  ])
}

/** What replay answered, as far as two collections must agree. */
export interface Replayed {
  readonly status: number
  readonly sha256: string
  readonly headers: Readonly<Record<string, string>>
}

/** `collections`: what stands in pywb's configuration, by their names. */
export const startPywb = async (collections: Readonly<Record<string, object>>) => {
  const { folder } = useFolder()
  const port = await freePort()
  // YAML holds JSON.
  writeFileSync(join(folder, 'config.yaml'), JSON.stringify({ collections }))
  const started = launch(program, ['-b', '127.0.0.1', '-p', String(port), '-d', folder])
  const address = `http://127.0.0.1:${port}`
  await until('pywb answers', () =>
    fetch(address).then(
      ({ ok }) => ok || undefined,
      () => undefined,
    ),
  )

  const get = (collection: string, path: string, init: RequestInit = {}) =>
    fetch(`${address}/${collection}/${path}`, { redirect: 'manual', ...init })

  return {
    ...started,
    address,
    /** Text of its own CDX server. */
    cdx: async (collection: string, query: string): Promise<string> =>
      (await get(collection, `cdx?${query}`)).text(),
    text: async (collection: string, path: string): Promise<string> => (await get(collection, path)).text(),
    /** Names of the collection are taken out of what it answers. */
    replay: async (collection: string, path: string, init?: RequestInit): Promise<Replayed> => {
      const response = await get(collection, path, init)
      const body = Buffer.from(await response.arrayBuffer())
      const headers = ['content-type', 'location', 'link', 'memento-datetime', 'content-location']
      const named = (text: string) =>
        text.replaceAll(`${address}/${collection}/`, '/').replaceAll(`collection="${collection}"`, '')
      return {
        status: response.status,
        sha256: createHash('sha256')
          .update(named(body.toString('latin1')))
          .digest('hex'),
        headers: Object.fromEntries(headers.map((name) => [name, named(response.headers.get(name) ?? '')])),
      }
    },
  }
}
