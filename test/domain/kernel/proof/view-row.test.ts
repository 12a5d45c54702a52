import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { emptyTree, leafHash } from '@fonds/tlog/compute'
import { expect, it } from 'vitest'
import { canonicalJson, rowEntryOf } from '#src/domain/kernel/proof/view-row.ts'
import type { Row, ViewShape } from '#src/domain/kernel/view.ts'

// A module loader takes no lone surrogate.
const vectors = JSON.parse(readFileSync(join(import.meta.dirname, 'view-row-vectors.json'), 'utf8')) as {
  readonly view: string
  readonly columns: ViewShape['columns']
  readonly rows: readonly { readonly row: Row; readonly entry: string; readonly leaf: string }[]
  readonly root: string
}

const shape = { name: vectors.view, columns: vectors.columns }

it('Q31: rows have the entries, leaves and root of the vectors', () => {
  const tree = emptyTree()
  for (const { row, entry, leaf } of vectors.rows) {
    expect(rowEntryOf(shape)(row)).toBe(entry)
    const hash = leafHash(Buffer.from(entry))
    expect(Buffer.from(hash).toString('base64')).toBe(leaf)
    tree.append(hash)
  }
  expect(Buffer.from(tree.root()).toString('base64')).toBe(vectors.root)
})

it('Q31: a row has one form, whatever the order of its columns and of names within them', () => {
  const entryOf = rowEntryOf({ name: 'v', columns: { b: 'json', a: 'text' } })
  expect(entryOf({ b: { y: 1, x: { d: 1, c: 2 } }, a: 'é' })).toBe(
    'fonds.row/v1\n"v"\n{"a":"é","b":{"x":{"c":2,"d":1},"y":1}}\n',
  )
  expect(entryOf({ a: 'é', b: { x: { c: 2, d: 1 }, y: 1 } })).toBe(
    entryOf({ b: { y: 1, x: { d: 1, c: 2 } }, a: 'é' }),
  )
  expect(entryOf({})).toBe('fonds.row/v1\n"v"\n{"a":null,"b":null}\n')
})

it('RFC 8785: names by their UTF-16 code units, numbers as ECMAScript writes them', () => {
  // The example of section 3.2.3.
  expect(
    canonicalJson({
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    }),
  ).toBe(
    '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis","€":"Euro Sign","😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
  )
  expect(canonicalJson([1e21, 1e-7, -0, 0.1])).toBe('[1e+21,1e-7,0,0.1]')
})
