import { describe, expect, it } from 'vitest'
import { hasAttributes } from './temporary-folder.ts'

describe('extended attributes of files in memory', () => {
  it.each([
    ['6.6.0-generic', true],
    ['6.18.44', true],
    ['7.0.1', true],
    ['6.5.13-arch1', false],
    ['5.15.0-100-generic', false],
  ])('Linux %s: %s', (kernel, has) => {
    expect(hasAttributes(kernel)).toBe(has)
  })
})
