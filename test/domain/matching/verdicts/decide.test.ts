import { describe, expect, it } from 'vitest'
import { graphContent } from '#src/domain/matching/verdicts/content.ts'
import { verdictDecider } from '#src/domain/matching/verdicts/decide.ts'
import type { SeenVersion, VerdictEvent } from '#src/domain/matching/verdicts/events.ts'
import { specify } from '../../../given.ts'

const given = specify(verdictDecider)
const at = '2026-01-31T12:00:00.000Z'
const because = { reason: 'two volumes', at }
const by = { work: 'A', actor: 'ada', ...because }

const confirm = (content: string, ...versions: SeenVersion[]) =>
  ({ type: 'ConfirmGraph', content, size: 2, versions, ...by }) as const
const confirmed = (content: string, ...versions: SeenVersion[]): VerdictEvent => ({
  type: 'GraphConfirmed',
  data: { content, size: 2, versions, ...because },
})
const unconfirm = { type: 'UnconfirmGraph', ...by } as const
const unconfirmed: VerdictEvent = { type: 'GraphUnconfirmed', data: because }

describe('a graph', () => {
  it('is confirmed as it was looked at', () => {
    given()
      .when(confirm('x', [1, 7]))
      .gives([confirmed('x', [1, 7])])
  })

  it('is not confirmed twice; another content is, and the same one at another version', () => {
    const before = given(confirmed('x', [1, 7]))
    before.when(confirm('x', [1, 7])).gives('already-confirmed')
    before.when(confirm('y', [1, 8])).gives([confirmed('y', [1, 8])])
    before.when(confirm('x', [1, 9])).gives([confirmed('x', [1, 9])])
    before.when(confirm('x', [1, 7], [2, 3])).gives([confirmed('x', [1, 7], [2, 3])])
    given(confirmed('x', [1, 7]), confirmed('y', [1, 8]))
      .when(confirm('x', [1, 9]))
      .gives([confirmed('x', [1, 9])])
  })

  it('is no longer, once that is taken back; then again', () => {
    given(confirmed('x', [1, 7]))
      .when(unconfirm)
      .gives([unconfirmed])
    given(confirmed('x', [1, 7]), unconfirmed)
      .when(unconfirm)
      .gives('not-confirmed')
    given(confirmed('x', [1, 7]), unconfirmed)
      .when(confirm('x', [1, 7]))
      .gives([confirmed('x', [1, 7])])
  })
})

describe('a record', () => {
  const record = { type: 'ConfirmRecord', corrections: 2, ...by } as const
  const recorded: VerdictEvent = { type: 'RecordConfirmed', data: { corrections: 2, ...because } }
  const taken: VerdictEvent = { type: 'RecordUnconfirmed', data: because }
  const takeBack = { type: 'UnconfirmRecord', ...by } as const

  it('is confirmed with the corrections that were looked at; later ones are confirmed as well', () => {
    given().when(record).gives([recorded])
    given(recorded).when(record).gives([recorded])
    expect(given(recorded, recorded).state.record).toBe(4)
  })

  it('is no longer, once that is taken back; its graph is another matter', () => {
    given(recorded).when(takeBack).gives([taken])
    given(recorded, taken).when(takeBack).gives('not-confirmed')
    given(recorded).when(unconfirm).gives('not-confirmed')
    given(confirmed('x', [1, 7]))
      .when(takeBack)
      .gives('not-confirmed')
  })
})

describe('the content of a graph', () => {
  const link = { to: 'B', reasons: ['same as'] }
  const a = { work: 'A', source: 'library', state: 'visible', title: 'Alps', links: [link] } as const
  const b = { work: 'B', source: 'scans', state: 'visible', title: null, links: [] } as const
  const content = graphContent([a, b])

  it('is the same in whatever order, and stays what stored verdicts hold', () => {
    expect(graphContent([b, a])).toBe(content)
    expect(content).toBe('gjTSZkbyJAPrADY0OozKVOAZgKLcVl5kRVLEKhgn7_Q')
  })

  it.each([
    ['another record', [a]],
    ['another source', [{ ...a, source: 'scans' }, b]],
    ['another state', [{ ...a, state: 'invisible' as const }, b]],
    ['another title', [{ ...a, title: 'Alps, 2nd edition' }, b]],
    ['a title less', [{ ...a, title: null }, b]],
    ['a link less', [{ ...a, links: [] }, b]],
    ['another end of a link', [{ ...a, links: [{ ...link, to: 'C' }] }, b]],
    ['another reason', [{ ...a, links: [{ ...link, reasons: ['part of'] }] }, b]],
    [
      'a link that another record states',
      [
        { ...a, links: [] },
        { ...b, links: [{ ...link, to: 'A' }] },
      ],
    ],
  ])('is another one with %s', (_, works) => {
    expect(graphContent(works)).not.toBe(content)
  })
})
