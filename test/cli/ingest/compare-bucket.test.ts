import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type S3Server, seedObject, startS3 } from '../../fakes/s3-server.ts'
import { useFonds } from '../fonds.ts'

const fonds = useFonds()
let server: S3Server

beforeEach(async () => {
  server = await startS3({ buckets: ['archive'] })
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'key')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret')
  vi.stubEnv('AWS_CA_BUNDLE', '')
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await server.close()
})

const run = (...argv: readonly string[]) =>
  fonds.run(argv, {
    env: { FONDS_S3_ENDPOINT: server.endpoint, FONDS_INGEST_STORAGE: 's3://archive/storage' },
  })

const staged = () => server.bucket('archive').keys.filter((key) => /-staged\/|\/v1\/content\//.test(key))

test('compare-storage deletes what a failed job brought, before it says that there is nothing else', async () => {
  const letter = fonds.file('letter.txt', 'a letter')
  const submitted = await run('ingest', 'submit', letter, '--digest', `sha256:${'0'.repeat(64)}`, '--wait')
  expect(submitted.code).toBe(1)
  // As a process leaves them that is killed before it cleans.
  const record = {
    ...{
      folders: ['0b6', 'e99', 'b8b', 'ark%3a%2f99999%2ffk4f6x7hw5xzf'],
      version: 'v1',
      write: 'd49d3c987f25',
    },
    files: [],
  }
  const folder = `storage/${record.folders.join('/')}`
  seedObject(server.bucket('archive'), `${folder}/v1/content/${record.write}/producer/letter.txt`, 'a letter')
  const key = `storage/extensions/fonds-writes-staged/job-1/${record.write}.json`
  seedObject(server.bucket('archive'), key, JSON.stringify(record))
  const { code, err } = await run('ingest', 'compare-storage')
  expect(err).toContain('Deleted what jobs that have ended left in storage')
  expect(err).toContain('and nothing else')
  expect([code, staged()]).toEqual([0, []])
})
