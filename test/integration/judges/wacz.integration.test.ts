import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Line, startServer, until, useFolder } from '../../e2e/run-fonds.ts'
import { server } from '../servers.ts'
import { pywbIsAbsent, samples } from './pywb.ts'
import { expectSameReplay } from './same-replay.ts'

/* py-wacz makes WACZ files of samples; pywb replays from Fonds, which has the WACZ alone, what it replays from the samples. */

const wacz = server('wacz')
const names = ['iana.warc.gz', 'example-wget-1-14.warc.gz', 'dupes.warc.gz']

const makeWacz = (into: string): void => {
  if ('absent' in wacz) throw new Error(wacz.absent)
  execFileSync(wacz.address, ['create', '-o', into, ...names.map((name) => join(samples, name))])
}

describe.skipIf('absent' in wacz || pywbIsAbsent)('a WACZ of py-wacz', () => {
  it('is indexed without a warning, and replayed by ranges as its WARCs are', async () => {
    const { folder, home } = useFolder()
    const archives = join(folder, 'archives')
    mkdirSync(archives)
    makeWacz(join(archives, 'made.wacz'))
    const env = { FONDS_INDEXING_SOURCES: `main=${archives}`, FONDS_INDEXING_GRACE_SECONDS: '1' }
    const { address } = await startServer({ home, env })
    const files = async () =>
      ((await (await fetch(`${address}/api/v1/views/indexing-files`)).json()) as { rows: readonly Line[] })
        .rows
    const [row] = await until('the WACZ is indexed', async () => {
      const found = await files()
      return found[0]?.state === 'indexed' && found
    })
    expect(row).toMatchObject({ name: 'made.wacz', kind: 'content', warnings: [] })
    await until('its lines are found', async () => {
      const found = await (await fetch(`${address}/cdx?matchType=range&urlkey=!`)).text()
      return found.split('\n').length - 1 === row?.lines
    })

    await expectSameReplay(names, address)
  })
})
