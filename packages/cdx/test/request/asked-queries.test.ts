import { describe, expect, it } from 'vitest'
import { askedQueries } from '../../src/request/asked-queries.ts'

describe('the readings of a body whose media type nobody said', () => {
  it('are a form first, and the text as a line has it where nothing has the key of the form', () => {
    const [form = [], written = []] = askedQueries('POST', 'a=b+c', undefined)
    expect(form).toContain('a=b c')
    expect(written).toEqual(['a=b+c'])
  })

  it('count alike where the form has a #, at which its key ends', () => {
    const readings = askedQueries('PUT', 'a=%23%3D&q=1', undefined)
    expect(readings).toHaveLength(1)
    expect(readings[0]).toEqual(expect.arrayContaining(['a=#=&q=1', 'a=%23%3D&q=1']))
  })
})
