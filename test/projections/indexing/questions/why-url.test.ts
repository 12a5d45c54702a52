import { describe, expect, it } from 'vitest'
import { whyUrl } from '#src/projections/indexing/questions/why-url.ts'
import type { Asking } from '#src/projections/runtime/question.ts'
import { indexingWorld } from '../../../processors/indexing/world.ts'
import { indexOf, sourceOf } from '../captures/given-index.ts'

const line = 'org,example)/ 20260131120000 http://example.org/ text/html 200 AAAA - - 512 0 a.warc.gz'

describe('why of a URL that rules of access hide', () => {
  it.each([
    [false, {}, 'the rule of access r1 hides 1 capture: `fonds indexing access` says more'],
    [true, {}, 'nothing is in the index under the key org,example)/'],
    [true, { publicMessage: 'By order of a court.' }, 'By order of a court.'],
  ])('C2 names the rule to a person alone; asked over HTTP: %s, %o', async (isShared, more, says) => {
    const world = indexingWorld()
    await world.fold()
    const index = { ...indexOf({ a: [line] }), runs: async () => [{} as never] }
    const rule = { rule: 'r1', policy: 'deny', match: 'host', url: 'http://example.org/', ...more } as const
    const source = sourceOf(index, { isHidden: () => true, refusedBy: () => rule })
    const of = { indexing: { captures: async () => source } }
    const asking = { isShared, of, signal: new AbortController().signal }
    const answer = await whyUrl(world.viewStore, 'http://example.org/', asking as unknown as Asking)
    expect(answer).toMatchObject({ findable: false, captures: 0 })
    expect(answer.reasons[0]).toBe(says)
    expect(answer.reasons.join()).not.toContain('its host has')
    expect(answer.reasons.some((reason) => reason.includes('indexing add'))).toBe(says.startsWith('nothing'))
  })
})
