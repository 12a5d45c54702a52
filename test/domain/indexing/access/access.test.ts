import { surt } from '@fonds/cdx'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { beginningsOf, compileRules } from '#src/domain/indexing/access/compile-rules.ts'
import { accessDecider } from '#src/domain/indexing/access/decide.ts'
import type { AccessRule, AccessTerms } from '#src/domain/indexing/access/rule.ts'
import { specify } from '../../../given.ts'

const now = '2026-01-31T12:00:00.000Z'
const by = { actor: 'ada', reason: 'court order', at: now }
const said = { reason: by.reason, at: now }
const terms: AccessTerms = { policy: 'deny', match: 'host', url: 'http://example.org/' }
const rule = (
  policy: AccessRule['policy'],
  match: AccessRule['match'],
  url: string,
  more = {},
): AccessRule => ({
  ...{ rule: `${policy}-${match}`, policy, match, url },
  ...more,
})
const refuses = (rules: readonly AccessRule[], url: string, time = '20200101000000') =>
  compileRules(rules)(now)?.(surt(url), time) !== undefined

describe('a rule of access', () => {
  const given = specify(accessDecider)
  const set = { type: 'AccessRuleSet', data: { ...terms, ...said } } as const
  it('is set and removed', () => {
    given()
      .when({ type: 'SetAccessRule', terms, ...by })
      .gives([set])
    given(set)
      .when({ type: 'RemoveAccessRule', ...by })
      .gives([{ type: 'AccessRuleRemoved', data: said }])
    given()
      .when({ type: 'RemoveAccessRule', ...by })
      .gives('no-such-rule')
  })
  it('that could match nothing is rejected', () => {
    given()
      .when({ type: 'SetAccessRule', terms: { ...terms, url: 'urn:isbn:1' }, ...by })
      .gives('no-host')
  })
  it('that refuses nothing has no message for those who are refused', () => {
    const message = { publicMessage: 'Taken down by order of a court.' }
    given()
      .when({ type: 'SetAccessRule', terms: { ...terms, ...message, policy: 'allow' }, ...by })
      .gives('refuses-nothing')
    given()
      .when({ type: 'SetAccessRule', terms: { ...terms, ...message }, ...by })
      .gives([{ type: 'AccessRuleSet', data: { ...terms, ...message, ...said } }])
  })
})

describe('rules of access', () => {
  it.each([
    ['exact', 'http://example.org/a', 'https://WWW.Example.org:443/a', true],
    ['exact', 'http://example.org/a', 'http://u:p@example.org/a', true],
    ['exact', 'http://example.org/a', 'http://example.org/a/b', false],
    ['exact', 'http://example.org/a', 'http://example.org/a?1=2&__wb_method=POST&x=3', true],
    ['exact', 'http://example.org/a', 'http://example.org/a?1=2', false],
    ['prefix', 'http://example.org/a', 'http://example.org/ab', true],
    ['prefix', 'http://example.org/a/', 'http://example.org/ab', false],
    ['host', 'http://example.org/', 'http://example.org:8080/a', true],
    ['host', 'http://example.org/', 'http://sub.example.org/a', false],
    ['domain', 'http://example.org/', 'http://sub.example.org:8080/a', true],
    ['domain', 'http://example.org/', 'http://example.organ/', false],
  ] as const)('%s %s, asked for %s: refused is %s', (match, url, asked, refused) => {
    expect(refuses([rule('deny', match, url)], asked)).toBe(refused)
  })

  it('the most specific counts; of equal ones deny', () => {
    const domain = rule('deny', 'domain', 'http://example.org/')
    const page = rule('allow', 'exact', 'http://example.org/a')
    expect(refuses([domain, page], 'http://example.org/a')).toBe(false)
    expect(refuses([page, domain], 'http://example.org/b')).toBe(true)
    expect(refuses([page, { ...page, policy: 'deny' }], 'http://example.org/a')).toBe(true)
  })

  it.each([
    [{ capturedFrom: '2020', capturedTo: '2020' }, '20201231235959', true],
    [{ capturedFrom: '2020', capturedTo: '2020' }, '20210101000000', false],
    [{ capturedFrom: '2020' }, '20191231235959', false],
    [{ accessedFrom: '20260131120000', accessedTo: '202602' }, '20200101000000', true],
    [{ accessedFrom: '20260131120001' }, '20200101000000', false],
    [{ accessedTo: '20260131120000' }, '20200101000000', true],
    [{ accessedTo: '20260131115959' }, '20200101000000', false],
    [{ youngerThanDays: 30 }, '20260101120000', false],
    [{ youngerThanDays: 30 }, '20260101120001', true],
    [{ youngerThanDays: 9_000_000 }, '19960101000000', true],
  ])('%o, captured at %s: refused is %s', (more, time, refused) => {
    expect(refuses([rule('deny', 'host', 'http://example.org/', more)], 'http://example.org/', time)).toBe(
      refused,
    )
  })

  it('refuse nothing where none denies now', () => {
    const past = { accessedTo: '2025' }
    const rules = [
      rule('allow', 'host', 'http://example.org/'),
      rule('deny', 'host', 'http://example.org/', past),
    ]
    expect(compileRules(rules)(now)).toBeUndefined()
  })

  it('compiled, say what looking at each rule says', () => {
    const url = fc
      .tuple(
        fc.constantFrom('', 'a.', 'b.a.'),
        fc.constantFrom('', ':8080'),
        fc.constantFrom('', 'x', 'x/y', 'xy'),
      )
      .map(([sub, port, path]) => `http://${sub}example.org${port}/${path}`)
    const some = fc.record({
      rule: fc.string(),
      policy: fc.constantFrom('deny' as const, 'allow' as const),
      match: fc.constantFrom('exact' as const, 'prefix' as const, 'host' as const, 'domain' as const),
      url,
    })
    fc.assert(
      fc.property(fc.array(some, { maxLength: 12 }), url, (rules, asked) => {
        const key = surt(asked)
        const weight = (one: AccessRule): number => {
          if (one.match === 'exact') return surt(one.url) === key ? 1000 : 0
          return Math.max(0, ...beginningsOf(one).map((b) => (key.startsWith(b) ? b.length : 0)))
        }
        const most = Math.max(1, ...rules.map(weight))
        const wanted = rules.some((one) => weight(one) === most && one.policy === 'deny')
        expect(refuses(rules, asked)).toBe(wanted)
      }),
    )
  })
})
