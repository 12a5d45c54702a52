import { Script } from 'node:vm'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import { afterEach, expect, it, vi } from 'vitest'
import type { EventRow } from '#infra/event-store/sqlite/event-row.ts'
import { filterOf } from '#infra/gateway/filter.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const filter = (regex: string) => {
  const expression = new streams.ReadReq.Options.FilterOptions.Expression()
  expression.setRegex(regex)
  const options = new streams.ReadReq.Options.FilterOptions()
  options.setStreamIdentifier(expression)
  options.setMax(32)
  options.setCheckpointintervalmultiplier(1)
  return filterOf(options, true)
}
const passing = (regex: string, names: readonly string[]) => {
  const passed = filter(regex).passing(rows(...names))
  return names.filter((_, n) => passed[n])
}
const rows = (...names: string[]): EventRow[] =>
  names.map((name, n) => [n, name, 0, 'id', 'T', 0, '{}', '{}', 0] as const).map((row) => [...row])

it('a machine that is busy elsewhere while an expression is tried makes it no worse', () => {
  const run = vi.spyOn(Script.prototype, 'runInContext').mockImplementationOnce(() => {
    throw Object.assign(new Error('timed out'), { code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' })
  })
  expect(filter('^a').passing(rows('a-1', 'b-1'))).toEqual([true, false])
  expect(run).toHaveBeenCalledTimes(2)
})

it('an expression that takes too long is refused', () => {
  expect(() => filter('^(a+)+$').passing(rows(`${'a'.repeat(60)}!`))).toThrow('takes too long')
})

/* What .NET's expressions match, and JavaScript's would not, or not the same. */
it.each([
  ['^Red$', ['Red', 'Red\n'], ['Red\n\n', 'Redd', 'a\nRed']],
  ['\\ARed\\z', ['Red'], ['Red\n', 'aRed']],
  ['\\ARed\\Z', ['Red', 'Red\n'], ['Red\n\n']],
  ['(?m)^b$', ['b', 'a\nb\nc'], ['ab']],
  ['^a.c$', ['abc', 'a\rc', 'a\u2028c'], ['a\nc']],
  ['(?s)^a.c$', ['a\nc'], ['ac']],
  ['(?i)order-(?-i)A$', ['ORDER-A'], ['ORDER-a']],
  ['^(?:x(?i)y|z)$', ['xY', 'Z'], ['Xy']],
  ['(?i:a)B', ['AB'], ['Ab']],
  ['\\p{Lu}\\p{L}+', ['Über'], ['ÜB1'.toLowerCase(), 'u1']],
  ['\\P{L}', ['1'], ['a']],
  ['^\\d+$', ['12', '٣'], ['a']],
  ['^\\w+$', ['naïve_1', '流'], ['a-b', '']],
  ['^[\\w-]+$', ['naïve-1'], ['a b']],
  ['^\\S+\\s\\S+$', ['a\u00a0b', 'a\u0085b'], ['a\ufeffb']],
  ['\\bé', ['aé é'], ['aé']],
  ['\\Bé', ['aé'], ['é']],
  ['^[a-z-[aeiou]]+$', ['xyz'], ['xa']],
  ['^[^a-z-[^1-9]]$', ['5'], ['a', '0', '-']],
  ['^[]a]$', [']', 'a'], ['b']],
  ['^[-a]$', ['-', 'a'], ['b']],
  ['^[a-]$', ['-', 'a'], ['b']],
  ['^[\\b$(|&&)]+$', ['\b$(|&&)'], ['b']],
  ['^a{,2}$', ['a{,2}'], ['aa']],
  ['^a{2,}?}$', ['aaa}'], ['a}']],
  ['^(?<one>a)\\k<one>$', ['aa'], ['ab']],
  ["^(?'one'a)\\k'one'$", ['aa'], ['ab']],
  ['^(a)\\1$', ['aa'], ['ab']],
  ['^(?#of orders)a(?=b)(?!c)(?<=a)(?<!b)b$', ['ab'], ['ac']],
  ['^\\x41\\u0042\\t\\e\\056$', ['AB\t\x1b.'], ['AB']],
  ['^😀$', ['😀'], ['x']],
  ['', [], ['a', '']],
] as const)('%s', (regex, found, left) => {
  expect(passing(regex, [...found, ...left])).toEqual(found)
})

it.each([
  ['(?>a+)b', '(?>a'],
  ['(?(a)b|c)', '(?(a'],
  ['(?<a-b>x)', '(?<a'],
  ['(?x) a b', '(?x)'],
  ['\\p{IsGreek}', '\\p{IsGreek}'],
  ['\\G1', '\\G'],
  ['\\y', '\\y'],
  ['(?<n>a)\\1', 'a number of a group beside names of groups'],
  ['(a', 'a group without its end'],
  ['a)', 'a ) that ends no group'],
  ['[a', 'a class without its end'],
  ['a**', 'Nothing to repeat'],
  ['\\', '\\ at its end'],
])('%s is refused by name', (regex, part) => {
  expect(() => filter(regex)).toThrow("the filter's regular expression cannot be used here")
  expect(() => filter(regex)).toThrow(part)
})
