import { expect, it } from 'vitest'
import { xmlElement, xmlText } from '#src/projections/indexing/xml-query/xml-text.ts'

it.each([
  ['a < b & c > d', 'a &lt; b &amp; c &gt; d'],
  ['tab\tline\nreturn\r', 'tab\tline\nreturn&#13;'],
  ['\u0000\u001f\u000b', '\ufffd\ufffd\ufffd'],
  ['\ud800 \ufffe', '\ufffd \ufffd'],
  ['ä 😀 \u0085', 'ä 😀 \u0085'],
])('%j in an element is %j', (text, xml) => {
  expect(xmlText(text)).toBe(xml)
})

it('an element has an element for each field that has a value', () => {
  expect(xmlElement('a', { b: 1, c: undefined, d: '<' })).toBe('<a><b>1</b><d>&lt;</d></a>')
})
