import { expect, it } from 'vitest'
import { allowedFolders, namedPlaces } from '#src/workers/research/media/allowed-folders.ts'

const home = '/srv/fonds'

it('folders and buckets of the setting are told apart; uploads are always among them', () => {
  const settings = { home, mediaFolders: '/srv/media, s3://archive/shows ,,s3://all' }
  const places = { folders: ['/srv/media', '/srv/fonds/clips'], buckets: ['s3://archive/shows', 's3://all'] }
  expect(allowedFolders(settings)).toEqual(places)
  expect(namedPlaces(settings)).toEqual(places)
})

it('without the setting everything is read, and strangers name uploads alone; an empty one allows uploads alone', () => {
  const uploads = { folders: ['/srv/fonds/clips'], buckets: [] }
  expect(allowedFolders({ home })).toEqual({})
  expect(namedPlaces({ home })).toEqual(uploads)
  expect(allowedFolders({ home, mediaFolders: '' })).toEqual(uploads)
  expect(allowedFolders({ home, mediaFolders: 's3://all' })).toEqual({ ...uploads, buckets: ['s3://all'] })
})
