import { expect, it } from 'vitest'
import { parseSources } from '#src/workers/indexing/sources.ts'

it('sources have a repository and a place each', () => {
  expect(parseSources('main=/srv/my warcs, nas=https://host.example/files?a=b ,')).toEqual([
    { repository: 'main', location: '/srv/my warcs' },
    { repository: 'nas', location: 'https://host.example/files?a=b' },
  ])
  expect(parseSources('a=s3://bucket,b=s3://bucket/crawls/,c=s3://bucket/x/y')).toEqual([
    { repository: 'a', location: 's3://bucket' },
    { repository: 'b', location: 's3://bucket/crawls/' },
    { repository: 'c', location: 's3://bucket/x/y' },
  ])
  expect(parseSources('')).toEqual([])
})

it.each([
  '/srv/warcs',
  'main=',
  'main=srv',
  '=/srv',
  'ma in=/srv',
  'main=/srv,nas',
  'main=s3://',
  'main=s3:bucket',
])('%s is none', (text) => {
  expect(parseSources(text)).toBeUndefined()
})
