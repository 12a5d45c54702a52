import * as fc from 'fast-check'
import { left, right } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { parseOrder, parseWhere } from '../../src/app/view-question.ts'
import type { Condition, ViewShape } from '../../src/domain/kernel/view.ts'

const shape: ViewShape = {
  name: 'books',
  description: 'Books.',
  key: ['id'],
  columns: { id: 'text', pages: 'integer', weight: 'real', notes: 'json' },
}
const parse = (text: string) => parseWhere([text], shape)
const gives = (column: string, is: Condition['is'], value: Condition['value']) =>
  right([{ column, is, value }])

describe('a condition', () => {
  it.each<[string, ReturnType<typeof gives>]>([
    ['id=a', gives('id', '=', 'a')],
    ['id!=a', gives('id', '!=', 'a')],
    ['id<a', gives('id', '<', 'a')],
    ['id<=a', gives('id', '<=', 'a')],
    ['id>a', gives('id', '>', 'a')],
    ['id>=a', gives('id', '>=', 'a')],
    ['id^=a', gives('id', 'prefix', 'a')],
    ['pages=10', gives('pages', '=', 10)],
    ['weight<1.5', gives('weight', '<', 1.5)],
    ['pages=null', gives('pages', '=', null)],
    ['notes!=null', gives('notes', '!=', null)],
    ['pages > 10', gives('pages', '>', 10)],
    ['id = a b', gives('id', '=', 'a b')],
    ['id=', gives('id', '=', '')],
    ['id=a=b<c', gives('id', '=', 'a=b<c')],
    ['id= a', gives('id', '=', ' a')],
    ['id=a\nb', gives('id', '=', 'a\nb')],
  ])('%j', (text, expected) => {
    expect(parse(text)).toEqual(expected)
  })

  it.each<[string, RegExp]>([
    ['id', /^where: "id" is no condition; write column=value, with one of = != < <= > >= \^=$/],
    ['=a', /is no condition/],
    ['name=a', /^where: books has no column "name"; it has id, pages, weight, notes$/],
    ['constructor=a', /no column "constructor"/],
    ['pages=many', /^where: pages holds numbers; "many" is none$/],
    ['pages=', /"" is none/],
    ['pages=1e999', /"1e999" is none/],
    ['pages^=1', /^where: pages holds numbers; \^= asks for the beginning of a text$/],
    ['pages<null', /^where: pages<null has no answer; null goes with = and != alone$/],
    ['notes=a', /^where: notes holds JSON; it can only be asked whether it is null$/],
  ])('%j cannot be asked', (text, sentence) => {
    expect(parse(text)).toEqual(left(expect.stringMatching(sentence)))
  })

  it('takes any text as a value, as it stands', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }).filter((text) => text !== 'null'),
        (text) => {
          // A sign that begins with `=` would read further: none does.
          expect(parse(`id=${text}`)).toEqual(gives('id', '=', text))
        },
      ),
    )
  })

  it('several must all be askable', () => {
    expect(parseWhere(['id=a', 'pages>1'], shape)).toEqual(
      right([
        { column: 'id', is: '=', value: 'a' },
        { column: 'pages', is: '>', value: 1 },
      ]),
    )
    expect(parseWhere(['id=a', 'pages>x'], shape)).toMatchObject({ _tag: 'Left' })
  })
})

describe('an order', () => {
  it('is columns, with - the greatest first', () => {
    expect(parseOrder(['-pages,id', 'weight'], shape)).toEqual(
      right([{ column: 'pages', descending: true }, { column: 'id' }, { column: 'weight' }]),
    )
  })

  it.each([
    ['-size', 'order: books has no column "size"; it has id, pages, weight, notes'],
    ['notes', 'order: notes holds JSON, which has no order'],
    ['', 'order: books has no column ""; it has id, pages, weight, notes'],
  ])('%j is none', (text, sentence) => {
    expect(parseOrder([text], shape)).toEqual(left(sentence))
  })
})

describe('a question of a hundred terms', () => {
  it('is the longest: one more is refused with the limit', () => {
    const terms = (n: number, text: string) => Array.from({ length: n }, () => text)
    expect(parseWhere(terms(100, 'id=a'), shape)).toMatchObject({ right: { length: 100 } })
    expect(parseOrder([terms(100, 'id').join(',')], shape)).toMatchObject({ right: { length: 100 } })
    for (const refused of [
      parseWhere(terms(1000, 'id=a'), shape),
      parseOrder([terms(1000, 'id').join(',')], shape),
    ])
      expect(refused).toMatchObject({ left: expect.stringMatching(/1000 are too many .* takes 100/) })
  })
})
