import { describe, expect, it } from 'vitest'
import { costOf, whereItIs } from '../../dashboard/src/pages/fixity/place.ts'

describe('a store on the page', () => {
  it('is mounted only where it is a folder', () => {
    expect(whereItIs({ kind: 'folder', root: '/srv/archive' })).toBe('mounted')
    expect(whereItIs({ kind: 'folder', root: 's3://archive/main' })).toBe('found in its bucket')
    expect(whereItIs({ kind: 'external', root: null })).toBe('observed from elsewhere')
  })

  it('says what a check asks of a bucket, before it is wanted', () => {
    const counts = { expected: 12_345 }
    expect(costOf({ store: 'main', root: 's3://archive/main', counts })).toContain('12,345 GET requests')
    expect(costOf({ store: 'main', root: '/srv/archive', counts })).toBe('')
  })
})
