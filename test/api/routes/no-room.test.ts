import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tone, wav } from '../../../packages/sound/test/decode/tones.ts'
import { formBytes, formType } from '../ingest-forms.ts'
import { startServer } from '../server.ts'

/* Nothing may be used of the disk: what others send is refused, with what to do, and the log goes on (ingest X1, X10). */

const withoutRoom = () =>
  startServer({
    roles: ['processors', 'reactions', 'projections'],
    replace: ({ config }) => ({ config: { ...config, ingestThresholdPercent: 0 } }),
  })

const refused = (code: string) => ({
  status: 507,
  body: {
    code,
    detail: expect.stringMatching(
      /there is no room for .* are used, and 0 % may be; .* raise FONDS_INGEST_THRESHOLD_PERCENT; then send it again/,
    ),
  },
})

it('files of a submission', async () => {
  const { request, system } = await withoutRoom()
  const payload = formBytes([
    ['profile', 'default'],
    ['submitter', 'ada'],
    ['file', 'some text', 'a.txt'],
  ])
  const url = '/api/v1/ingest/submissions'
  const headers = { 'content-type': formType }
  expect(await request({ method: 'POST', url, payload, headers })).toMatchObject(refused('disk-refuses'))
  expect(readdirSync(join(system.config.home, 'drop', '.coming'))).toEqual([])
})

it('the sound of a clip', async () => {
  const { request, system } = await withoutRoom()
  const url = '/api/v1/research/clips/gurgle/media?curator=ada'
  const payload = wav(8000, [tone(8000, 1, 440)])
  const headers = { 'content-type': 'application/octet-stream' }
  expect(await request({ method: 'PUT', url, payload, headers })).toMatchObject(refused('disk-refuses'))
  expect(readdirSync(join(system.config.home, 'clips'))).toEqual([])
})

it('lines of an index', async () => {
  const { request, system } = await withoutRoom()
  const payload = 'org,example)/ 20260131120000 http://example.org/ text/html 200 ABC - - 100 1 a.warc.gz\n'
  const headers = { 'content-type': 'text/plain' }
  expect(await request({ method: 'POST', url: '/cdx', payload, headers })).toMatchObject(
    refused('disk-refuses'),
  )
  const runs = system.adapters.indexing.captureIndexFolder
  expect(existsSync(runs) ? readdirSync(runs).filter((name) => name.startsWith('r-')) : []).toEqual([])
})
