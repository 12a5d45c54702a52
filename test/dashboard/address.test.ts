import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressOf, changed, match, pathOf } from '../../dashboard/src/address/address.ts'

const pattern = '/log/streams/:stream'

describe('a path', () => {
  it('is matched part by part, its names decoded', () => {
    expect(match(pattern, '/log/streams/fixity-a%2Fb')).toEqual({ stream: 'fixity-a/b' })
    expect(match('/log', '/log')).toEqual({})
  })

  it.each(['/log/streams', '/log/streams/', '/log/streams/a/b', '/log/streams/%E0%A4%A'])(
    '%s is another',
    (path) => expect(match(pattern, path)).toBe(undefined),
  )

  it('holds any name, however hostile', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (name) => {
        const stream = `fixity-${name}`
        const address = addressOf(pathOf(pattern, { stream }))
        expect(match(pattern, address.path)).toEqual({ stream })
      }),
    )
  })
})

it('a question is changed in its place: other names stay, an empty value takes one away', () => {
  const address = addressOf('/log?type=A&type=B&from=7')
  expect(changed(address, { from: '9' })).toBe('/log?type=A&type=B&from=9')
  expect(changed(address, { type: ['C'], from: '' })).toBe('/log?type=C')
  expect(changed(address, { type: undefined, from: undefined })).toBe('/log')
})
