import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Line, startServer, until, useFolder } from '../../e2e/run-fonds.ts'
import { s3Calls } from '../../fakes/s3-calls.ts'
import { placeOf } from '../s3/server-address.ts'
import { server } from '../servers.ts'
import { pywbIsAbsent, samples } from './pywb.ts'
import { expectSameReplay } from './same-replay.ts'

/* Archive files that lie in a bucket alone: Fonds finds them by listing, indexes them where they are, and pywb replays them through Fonds. */

const s3 = server('s3')
const names = ['iana.warc.gz', 'example.arc', 'example.arc.gz', 'example2.warc.gz', 'dupes.warc.gz']

describe.skipIf('absent' in s3 || pywbIsAbsent)('archive files in a bucket', () => {
  it('are listed, indexed, and replayed by pywb as from a disk', async () => {
    const { endpoint, keys } = placeOf('absent' in s3 ? 'http://absent' : s3.address)
    const bucket = `crawls-${randomUUID().slice(0, 8)}`
    const calls = s3Calls(endpoint, keys)
    await calls.call('PUT', `/${bucket}`)
    for (const name of names)
      expect(
        await calls.call('PUT', `/${bucket}/crawl/${name}`, { body: readFileSync(join(samples, name)) }),
      ).toMatchObject({ status: 200 })
    await calls.close()

    const { home } = useFolder()
    const { address } = await startServer({
      home,
      env: {
        FONDS_INDEXING_SOURCES: `main=s3://${bucket}/crawl`,
        FONDS_S3_ENDPOINT: endpoint,
        AWS_ACCESS_KEY_ID: keys.accessKeyId,
        AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
      },
    })
    const lines = await until('all files are indexed', async () => {
      const { report } = (await (await fetch(`${address}/api/v1/indexing/report`)).json()) as Line
      const [all, ...others] = report
      return others.length === 0 && all?.state === 'indexed' && all.files === names.length && all.lines
    })
    await until('all lines are found', async () => {
      const found = await (await fetch(`${address}/cdx?matchType=range&urlkey=!`)).text()
      return found.split('\n').length - 1 === lines
    })
    expect(readdirSync(join(home, 'index'))).not.toContain('.fetched')

    await expectSameReplay(names, address)
  })
})
