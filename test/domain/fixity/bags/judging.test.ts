import { describe, expect, it } from 'vitest'
import { bagDecider } from '#src/domain/fixity/bags/decide.ts'
import { type BagContent, type BagStructure, judgeBag } from '#src/domain/fixity/bags/judging.ts'

const now = '2026-03-01T12:00:00.000Z'
const structure: BagStructure = {
  isComplete: true,
  problems: [],
  problemsLeftOut: 0,
  strays: 0,
  firstStray: null,
  unrecorded: 0,
  files: 2,
  bytes: 10,
  items: 4,
  listedAt: '2026-03-01T11:00:00.000Z',
}
/** Two payload files, a manifest, and a tag manifest that nothing records. */
const content: BagContent = {
  states: { verified: 3, baselined: 1 },
  baselinedPayload: 0,
  late: 0,
  first: null,
}
const judge = (found: Partial<BagStructure> = {}, seen: Partial<BagContent> = {}) =>
  judgeBag({ ...structure, ...found }, { ...content, ...seen }, { now, intervalDays: 30 })

describe('a bag', () => {
  it('B7 is valid when it is complete, recorded, listed, and each file was verified', () => {
    expect(judge()).toMatchObject({ verdict: 'valid', rule: 'B7' })
  })

  it.each([
    ['B1', 'not-valid', { isComplete: false, problems: [{ path: 'b/data/x', reason: 'is payload' }] }, {}],
    ['B2', 'not-valid', {}, { states: { verified: 2, baselined: 1, failed: 1 } }],
    ['B2', 'not-valid', {}, { states: { verified: 2, baselined: 1, accepted: 1 } }],
    ['B2', 'not-valid', {}, { states: { verified: 2, baselined: 1, lost: 1 } }],
    ['B3', 'not-proven', { strays: 1, firstStray: 'b/notes.txt' }, {}],
    ['B4', 'not-proven', { unrecorded: 1 }, {}],
    ['B4', 'not-proven', {}, { states: { verified: 3, baselined: 2 } }],
    ['B4', 'not-proven', {}, { states: { verified: 2, baselined: 1 } }],
    ['B5', 'not-proven', {}, { states: { verified: 2, baselined: 1, unchecked: 1 } }],
    ['B5', 'not-proven', {}, { states: { verified: 2, baselined: 1, unread: 1 } }],
    ['B5', 'not-proven', {}, { states: { verified: 2, baselined: 1, parked: 1 } }],
    ['B5', 'not-proven', {}, { states: { verified: 2, baselined: 2 }, baselinedPayload: 1 }],
    ['B5', 'not-proven', { files: 4 }, {}],
    ['B5', 'not-proven', {}, { late: 1 }],
    ['B5', 'not-proven', { changed: 1, firstChanged: 'b/data/x' }, {}],
    ['B6', 'not-proven', { listedAt: '2026-01-29T12:00:00.000Z' }, {}],
    ['B6', 'not-proven', { listedAt: '2036-01-29T12:00:00.000Z' }, {}],
  ] as const)('%s is %s: %j %j', (rule, verdict, found, seen) => {
    expect(judge(found as never, seen)).toMatchObject({ rule, verdict })
  })

  it('B5 that was written to is valid once a check has read each such file since, as far as they are known by name', () => {
    const changed = { changed: 2, firstChanged: 'b/data/x', changedPaths: ['b/data/x', 'b/data/y'] }
    expect(judge(changed, { readSince: [] })).toMatchObject({ rule: 'B5' })
    expect(judge(changed, { readSince: ['b/data/x'] })).toMatchObject({
      verdict: 'not-proven',
      rule: 'B5',
      because: expect.stringContaining('1 file was changed after the last check had read it: b/data/y'),
    })
    expect(judge(changed, { readSince: ['b/data/x', 'b/data/y'] })).toMatchObject({ rule: 'B7' })
    expect(judge({ ...changed, changed: 3 }, { readSince: ['b/data/x', 'b/data/y'] })).toMatchObject({
      rule: 'B5',
    })
    const failed = { states: { verified: 2, baselined: 1, failed: 1 }, readSince: ['b/data/x'] }
    expect(judge(changed, failed)).toMatchObject({ rule: 'B2' })
  })

  it('names the file that a rule speaks of', () => {
    const first = { path: 'b/data/x', cause: 'The bytes are not as recorded.' }
    expect(judge({}, { states: { verified: 3, failed: 1 }, first }).because).toBe(
      '1 file is not as the manifests record: b/data/x: The bytes are not as recorded.',
    )
  })
})

describe('a judgement', () => {
  const command = {
    ...({ type: 'JudgeBag', store: 'main', bag: 'b', actor: 'ada', at: now, intervalDays: 30 } as const),
    ...{ structure, content },
  }
  const decide = (change: object, state = bagDecider.initial) => {
    const decided = bagDecider.decide({ ...command, ...change }, state)
    if (decided._tag === 'Left') throw new Error('never rejected')
    return decided.right as readonly { readonly data: object }[]
  }
  const [first] = decide({}) as never as { type: 'BagJudged'; data: never }[]
  const state = bagDecider.evolve(undefined, first as never)

  it('is recorded once a day while it says the same, so that a check that is repeated adds nothing', () => {
    expect(decide({}, state)).toEqual([])
    const tomorrow = { structure: { ...structure, listedAt: '2026-03-02T00:00:00.000Z' } }
    expect(decide({ ...tomorrow, at: '2026-03-02T00:00:01.000Z' }, state)).toHaveLength(1)
  })

  it('is recorded at once when it says otherwise', () => {
    expect(decide({ structure: { ...structure, strays: 1 } }, state)).toMatchObject([
      { type: 'BagJudged', data: { verdict: 'not-proven', rule: 'B3' } },
    ])
  })
})
