import { expect, it } from 'vitest'
import { isAddressBeneath, locationsBeneath } from '#src/workflows/foreign-locations.ts'

const folders = ['/srv/warcs', '/mnt/nas']

it.each(['/srv/warcs/a.warc', '/srv/warcs/2026/a.warc', 'file:///mnt/nas/a%20b.warc', '/srv/warcs'])(
  '%s is beneath the folders',
  (place) => expect(isAddressBeneath(place, folders)).toBe(true),
)

it.each([
  '/etc/passwd',
  '/srv/warcs2/a.warc',
  '/srv/warcs/../../etc/passwd',
  '/srv/warcs/link/../a.warc',
  '/srv/warcs/./a.warc',
  '/srv//warcs/a.warc',
  'file:///srv/warcs/%2e%2e/%2e%2e/etc/passwd',
  'file:///srv/warcs/%2F..%2F..%2Fetc/passwd',
  'file://elsewhere/srv/warcs/a.warc',
  'FILE:///etc/passwd',
  'http://srv/warcs/a.warc',
])('%s is not', (place) => expect(isAddressBeneath(place, folders)).toBe(false))

it('a refusal names the setting; servers are looked at when they are asked', () => {
  const refused = locationsBeneath(folders, 'FONDS_X')
  expect(refused('/etc/passwd')).toMatch(/^\/etc\/passwd is a file of this machine.* unless FONDS_X names/)
  expect(refused('FILE:///etc/passwd')).toBeDefined()
  for (const place of ['/srv/warcs/a.warc', 'https://host.example/a', undefined])
    expect(refused(place)).toBeUndefined()
})

it('buckets are read with the rights of this system: only what is beneath those of the setting is named over HTTP', () => {
  const refused = locationsBeneath(folders, 'FONDS_X', ['s3://crawls/2026/', 's3://all'])
  for (const place of ['s3://crawls/2026/a b.warc.gz', 's3://crawls/2026/x/y.warc', 's3://all/a.warc'])
    expect(refused(place)).toBeUndefined()
  for (const place of [
    's3://crawls/2025/a.warc',
    's3://crawls/2026x/a.warc',
    's3://crawls/2026/../2025/a.warc',
    's3://crawls/2026//a.warc',
    's3://other/a.warc',
    's3://allother/a.warc',
  ])
    expect(refused(place), place).toMatch(/in a bucket.* unless FONDS_X names it/)
  expect(locationsBeneath(folders, 'FONDS_X')('s3://all/a.warc')).toBeDefined()
})
