import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { resolveName, whyUnusable } from '../../../src/workers/fixity/manifest.ts'

const bad = (reason: RegExp) => ({ _tag: 'Left', left: expect.stringMatching(reason) })

test('a digest that is none is told', () => {
  const line = { algorithm: 'md5', value: 'abc', name: 'a.tif' }
  expect(whyUnusable({ ...line, isMalformed: true })).toMatch(/"abc" is no md5 digest; it is kept as it is/)
  expect(whyUnusable(line)).toBeUndefined()
})

describe('names in manifests', () => {
  test('lead below the folder of the manifest', () => {
    const cases = {
      a: 'f/a',
      './a': 'f/a',
      'x/../a': 'f/a',
      'b//a': 'f/b/a',
      '...': 'f/...',
      '..a/b': 'f/..a/b',
    }
    for (const [name, path] of Object.entries(cases))
      expect(resolveName('f', name)).toEqual({ _tag: 'Right', right: path })
    expect(resolveName('', './a')).toEqual({ _tag: 'Right', right: 'a' })
  })

  test('or are refused', () => {
    for (const name of ['/etc/passwd', '//x']) expect(resolveName('f', name)).toEqual(bad(/absolute/))
    for (const name of ['..', '../a', 'a/../../f/b', './../a'])
      expect(resolveName('f', name)).toEqual(bad(/leads out/))
    for (const name of ['.', './', 'a/', 'a\0b', 'x'.repeat(5000)])
      expect(resolveName('f', name)._tag).toBe('Left')
  })

  test('no name at all leads out of the folder', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('..', '.', '', 'a', 'f', '\\')), (segments) => {
        const found = resolveName('f', segments.join('/'))
        if (found._tag === 'Right') expect(found.right).toMatch(/^f\/(?!\.\.?(\/|$))/)
      }),
    )
  })
})
