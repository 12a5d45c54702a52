import { expect, it } from 'vitest'
import { changeLetter, letterTexts } from '#src/domain/kernel/dead-letter-texts.ts'

/* Q45: what may name people in a message that could not be used. */

const letter = {
  key: 'k',
  headers: {
    ce_id: 'i',
    CE_Source: 's',
    'content-type': 'c',
    'fonds-sealed': 'm',
    ce_subject: 'u',
    other: '',
  },
  value: 'v',
  raw: {
    key: 'a2V5',
    headers: [
      { name: 'ce_type', value: 'dA==' },
      { name: 'x', value: 'eA==' },
    ],
  },
}

it('is its value, its key and each header that is no attribute of its own; empty texts stay', () => {
  expect(letterTexts(letter)).toEqual(['k', 'u', 'v', 'a2V5', 'eA=='])
  expect(changeLetter(letter, (text) => `<${text}>`)).toEqual({
    key: '<k>',
    headers: { ...letter.headers, ce_subject: '<u>' },
    value: '<v>',
    raw: { key: '<a2V5>', headers: [letter.raw.headers[0], { name: 'x', value: '<eA==>' }] },
  })
  expect(letterTexts({ key: null, headers: {}, value: '' })).toEqual([])
})
