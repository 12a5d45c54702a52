import fc from 'fast-check'
import { isRight } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import type { DossierCommand } from '#src/domain/chain/commands.ts'
import { dossierDecider } from '#src/domain/chain/decide.ts'
import type { DossierEvent } from '#src/domain/chain/events.ts'
import { type DossierState, maxFailing } from '#src/domain/chain/state.ts'
import { decisionOf } from '#src/domain/kernel/decider.ts'
import { specify } from '../../given.ts'
import { runs } from '../../runs.ts'

const given = specify(dossierDecider)
const at = '2026-11-30T12:00:00.000Z'
const by = { actor: 'fonds://chain', at } as const
const facts = { files: 3, bytes: 42, localIds: ['box-7'] } as const

const store = (version: number): DossierCommand => ({
  type: 'NoteStored',
  version,
  inventoryDigest: `digest ${version}`,
  ...facts,
  ...by,
})
const handOver = (version: number): DossierCommand => ({
  type: 'NoteHandedOver',
  version,
  rule: 'fixity',
  store: 'storage',
  parts: 5,
  shared: 3,
  ...by,
})
const verify = (version: number): DossierCommand => findings({ verified: [{ version, parts: 8 }] })
const part = (path: string) => ({ store: 'storage', path })
const findings = (
  found: Partial<Pick<Extract<DossierCommand, { type: 'NoteFindings' }>, 'failed' | 'cleared' | 'verified'>>,
): DossierCommand => ({ type: 'NoteFindings', failed: [], cleared: [], verified: [], ...found, ...by })
const fail = (...paths: readonly string[]) =>
  findings({ failed: paths.map((path) => ({ ...part(path), kind: 'differs', finding: 'sour' })) })
const clear = (path: string) => findings({ cleared: [{ ...part(path), how: 'verified' }] })

const stored = (version: number, isLast = true): DossierEvent => ({
  type: 'ObjectStored',
  data: { version, inventoryDigest: `digest ${version}`, ...facts, localIds: ['box-7'], isLast, at },
})
const handedOver = (version: number): DossierEvent => ({
  type: 'ContentHandedOver',
  data: { version, rule: 'fixity', store: 'storage', parts: 5, shared: 3, at },
})
const verified = (version: number): DossierEvent => ({
  type: 'PartsVerified',
  data: { version, parts: 8, at },
})
const failed = (path: string): DossierEvent => ({
  type: 'PartFailed',
  data: { ...part(path), kind: 'differs', finding: 'sour', at },
})
const cleared = (path: string): DossierEvent => ({
  type: 'PartCleared',
  data: { ...part(path), how: 'verified', at },
})

describe('a dossier', () => {
  it('begins with the first version, and takes each once', () => {
    given()
      .when(store(1))
      .gives([stored(1)])
    given(stored(1)).when(store(1)).gives([])
    given(stored(1))
      .when(store(2))
      .gives([stored(2)])
  })

  it('knows that a version which comes late is not the last: what stands at the top is another’s', () => {
    given(stored(2))
      .when(store(1))
      .gives([stored(1, false)])
  })

  it('notes once that a version is handed over, and of none that it does not know', () => {
    given(stored(1))
      .when(handOver(1))
      .gives([handedOver(1)])
    given(stored(1), handedOver(1)).when(handOver(1)).gives([])
    given(stored(1)).when(handOver(2)).gives('unknown-version')
  })

  it('notes why a version cannot be handed over, until it is', () => {
    const cannot = (reason: string): DossierCommand => ({
      type: 'NoteHandOverFailed',
      version: 1,
      rule: 'fixity',
      reason,
      ...by,
    })
    const event = (reason: string): DossierEvent => ({
      type: 'HandOverFailed',
      data: { version: 1, rule: 'fixity', reason, at },
    })
    given(stored(1))
      .when(cannot('gone'))
      .gives([event('gone')])
    given(stored(1), event('gone')).when(cannot('gone')).gives([])
    given(stored(1), event('gone'))
      .when(cannot('damaged'))
      .gives([event('damaged')])
    given(stored(1), event('gone'))
      .when(handOver(1))
      .gives([handedOver(1)])
    given(stored(1), handedOver(1)).when(cannot('gone')).gives([])
  })

  it('notes the first time that all of a version was verified, and no other time', () => {
    given(stored(1), handedOver(1))
      .when(verify(1))
      .gives([verified(1)])
    given(stored(1), handedOver(1), verified(1)).when(verify(1)).gives([])
    given(stored(1)).when(verify(2)).gives([])
  })

  it('notes a part that is not well once, and that it is well again', () => {
    given(stored(1))
      .when(fail('a', 'b'))
      .gives([failed('a'), failed('b')])
    given(stored(1), failed('a'))
      .when(fail('a', 'b'))
      .gives([failed('b')])
    given(stored(1), failed('a'))
      .when(clear('a'))
      .gives([cleared('a')])
    given(stored(1), failed('a'), cleared('a')).when(clear('a')).gives([])
    given(stored(1), failed('a'), cleared('a'))
      .when(fail('a'))
      .gives([failed('a')])
  })

  it('names so many parts that are not well, and no more', () => {
    const many = Array.from({ length: maxFailing }, (_, i) => failed(`${i}`))
    given(stored(1), ...many)
      .when(fail('one more'))
      .gives([])
    given(stored(1), ...many, cleared('7'))
      .when(fail('x', 'y'))
      .gives([failed('x')])
  })

  it('is closed when storage holds nothing of the object, and begins again with a new version', () => {
    const withdraw: DossierCommand = { type: 'NoteWithdrawal', keep: 0, reason: 'a wish', ...by }
    const withdrawn: readonly DossierEvent[] = [
      { type: 'VersionsWithdrawn', data: { keep: 0, reason: 'a wish', at } },
      { type: 'DossierClosed', data: { reason: 'a wish', at } },
    ]
    const closed = given(stored(1), handedOver(1), stored(2), handedOver(2)).when(withdraw)
    closed.gives(withdrawn)
    expect(closed.state).toMatchObject({ isClosed: true, withdrawing: { keep: 0, from: [1, 2], parts: 13 } })
    given(stored(1), ...withdrawn)
      .when(withdraw)
      .gives([])
    given(stored(1), ...withdrawn)
      .when(store(1))
      .gives([stored(1)])
  })

  it('takes back versions behind the one that is left, and nothing that it never had', () => {
    const withdraw = (keep: number): DossierCommand => ({ type: 'NoteWithdrawal', keep, reason: 'x', ...by })
    given(stored(1), stored(2))
      .when(withdraw(1))
      .gives([{ type: 'VersionsWithdrawn', data: { keep: 1, reason: 'x', at } }])
    given(stored(1)).when(withdraw(1)).gives([])
    given().when(withdraw(0)).gives([])
  })

  it('notes the end of a withdrawal once', () => {
    const end: DossierCommand = { type: 'NoteWithdrawn', keep: 1, rule: 'fixity', parts: 5, shared: 3, ...by }
    const event: DossierEvent = {
      type: 'ContentWithdrawn',
      data: { keep: 1, rule: 'fixity', parts: 5, shared: 3, at },
    }
    const before: readonly DossierEvent[] = [
      stored(1),
      stored(2),
      { type: 'VersionsWithdrawn', data: { keep: 1, reason: 'x', at } },
    ]
    given(...before)
      .when(end)
      .gives([event])
    given(...before, event)
      .when(end)
      .gives([])
  })
})

/** All that is the same in whichever order inputs come. */
const outcomeOf = ({ versions }: DossierState) =>
  [...versions]
    .map(([version, { handedOver, isVerified }]) => ({ version, handedOver, isVerified }))
    .sort((one, other) => one.version - other.version)

const fold = (commands: readonly DossierCommand[]): DossierState =>
  commands.reduce((state, command) => {
    const decided = dossierDecider.decide(command, state)
    return isRight(decided) ? decisionOf(decided.right).events.reduce(dossierDecider.evolve, state) : state
  }, dossierDecider.initial)

it('inputs that come again, in whatever order of objects and times, have one outcome', () => {
  // Inputs of one version come in their order; those of versions mingle, and each may come again, late.
  const ofVersion = (version: number) => [store(version), handOver(version), verify(version)]
  const mingled = fc.array(fc.nat({ max: 2 }), { minLength: 9, maxLength: 40 }).map((turns) => {
    const waiting = [1, 2, 3].map((version) => [...ofVersion(version)])
    const past: DossierCommand[] = []
    for (const turn of turns) {
      const next = waiting[turn]!.shift()
      past.push(next ?? past[turn % Math.max(1, past.length)] ?? store(turn + 1))
    }
    return [...past, ...waiting.flat()]
  })
  const expected = outcomeOf(fold([1, 2, 3].flatMap(ofVersion)))
  expect(expected).toEqual(
    [1, 2, 3].map((version) => ({ version, handedOver: ['fixity'], isVerified: true })),
  )
  fc.assert(
    fc.property(mingled, (commands) => {
      expect(outcomeOf(fold(commands))).toEqual(expected)
      expect(outcomeOf(fold([...commands, ...commands]))).toEqual(expected)
    }),
    { numRuns: runs(200) },
  )
})

describe('archive files', () => {
  const file = (name: string) => ({ name, path: `x/${name}`, sha256: 'a'.repeat(64) })
  const archives = (...names: readonly string[]): DossierCommand => ({
    ...{ type: 'NoteArchives', version: 1, store: 'storage', files: names.map(file), ...by },
  })
  const listed = (...names: readonly string[]): DossierEvent => ({
    ...{ type: 'ArchivesListed', data: { version: 1, store: 'storage', files: names.map(file), at } },
  })
  const indexing = (name: string, outcome: { lines: number } | { finding: string }): DossierCommand => ({
    ...{ type: 'NoteIndexing', store: 'storage', name, outcome, ...by },
  })
  const unindexed = (name: string, finding = 'damaged'): DossierEvent => ({
    ...{ type: 'ArchiveFailed', data: { store: 'storage', name, finding, at } },
  })
  const indexed = (name: string): DossierEvent => ({
    ...{ type: 'ArchiveIndexed', data: { store: 'storage', name, lines: 3, at } },
  })

  it('of a version are listed once, in events of bounded size', () => {
    given(stored(1))
      .when(archives('a', 'b'))
      .gives([listed('a', 'b')])
    given(stored(1), listed('a')).when(archives('a', 'b')).gives([])
    const many = Array.from({ length: 501 }, (_, i) => `${i}`)
    given(stored(1))
      .when(archives(...many))
      .gives([listed(...many.slice(0, 500)), listed('500')])
  })

  it('are handed over beside fixity, each rule once', () => {
    const hand: DossierCommand = {
      ...{ type: 'NoteHandedOver', version: 1, rule: 'indexing', store: 'storage', parts: 1, shared: 0 },
      ...{ embargoUntil: '2031-12-31', ...by },
    }
    const handed: DossierEvent = {
      type: 'ContentHandedOver',
      data: {
        ...{ version: 1, rule: 'indexing', store: 'storage', parts: 1, shared: 0 },
        ...{ embargoUntil: '2031-12-31', at },
      },
    }
    given(stored(1), handedOver(1)).when(hand).gives([handed])
    given(stored(1), handed).when(hand).gives([])
    given(stored(1), handed)
      .when(handOver(1))
      .gives([handedOver(1)])
  })

  it('fail once until they are indexed, and are no findings of fixity', () => {
    given(stored(1), listed('a'))
      .when(indexing('a', { finding: 'damaged' }))
      .gives([unindexed('a')])
    given(stored(1), listed('a'), unindexed('a'))
      .when(indexing('a', { finding: 'five times' }))
      .gives([])
    given(stored(1), listed('a'), unindexed('a'))
      .when(indexing('a', { lines: 3 }))
      .gives([indexed('a')])
    given(stored(1), listed('a'), unindexed('a'), indexed('a'))
      .when(indexing('a', { finding: 'damaged' }))
      .gives([unindexed('a')])
    given(stored(1), unindexed('a')).when(clear('a')).gives([])
  })

  it('are withdrawn by each rule once', () => {
    const withdrawn = (rule: 'fixity' | 'indexing') => ({ keep: 0, rule, parts: 1, shared: 0 })
    const away: DossierEvent = { type: 'VersionsWithdrawn', data: { keep: 0, reason: 'a wish', at } }
    const done = (rule: 'fixity' | 'indexing'): DossierEvent => ({
      ...{ type: 'ContentWithdrawn', data: { ...withdrawn(rule), at } },
    })
    const end = (rule: 'fixity' | 'indexing'): DossierCommand => ({
      ...{ type: 'NoteWithdrawn', ...withdrawn(rule), ...by },
    })
    given(stored(1), away, done('fixity'))
      .when(end('indexing'))
      .gives([done('indexing')])
    given(stored(1), away, done('fixity'), done('indexing')).when(end('indexing')).gives([])
  })
})
