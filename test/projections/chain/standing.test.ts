import { describe, expect, it } from 'vitest'
import { foldedChain, object } from './log.ts'

const stateOf = (folded: ReturnType<typeof foldedChain>) => folded.row('chain-dossiers', { object })?.state
const sumsOf = (folded: ReturnType<typeof foldedChain>) => {
  const { parts, verified, failing } = folded.row('chain-dossiers', { object })!
  return [parts, verified, failing]
}

describe('an object is', () => {
  it('working from when it is stored until all that was handed over is verified', () => {
    const folded = foldedChain()
    const { log } = folded
    log.stored(1)
    expect(stateOf(folded)).toBe('working')
    log.recorded(1, 'a', 'b')
    log.checked('a')
    expect(stateOf(folded)).toBe('working')
    log.handedOver(1, 2)
    expect([stateOf(folded), sumsOf(folded)]).toEqual(['working', [2, 1, 0]])
    log.decided('b', 'success')
    expect([stateOf(folded), sumsOf(folded)]).toEqual(['done', [2, 2, 0]])
  })

  it('not done where checks end before the last message is sent', () => {
    const folded = foldedChain()
    const { log } = folded
    log.stored(1)
    log.recorded(1, 'a')
    log.checked('a')
    expect([stateOf(folded), sumsOf(folded)]).toEqual(['working', [0, 1, 0]])
    log.handedOver(1, 1)
    expect(stateOf(folded)).toBe('done')
  })

  it('not done where nobody read the bytes, or there was nothing to compare', () => {
    for (const [outcome, content] of [
      ['success', { status: 'not-attempted' }],
      ['unverified', { status: 'read' }],
    ] as const) {
      const folded = foldedChain()
      const { log } = folded
      log.stored(1)
      log.recorded(1, 'a')
      log.handedOver(1, 1)
      log.decided('a', outcome, { evidence: { content } })
      expect([stateOf(folded), sumsOf(folded)]).toEqual(['working', [1, 0, 0]])
    }
  })

  it('not done while a look is repeated, as a record may be on its way', () => {
    const folded = foldedChain()
    const { log } = folded
    log.stored(1)
    log.recorded(1, 'a')
    log.handedOver(1, 1)
    log.checked('a')
    log.decided('a', 'retry')
    expect([stateOf(folded), sumsOf(folded)]).toEqual(['working', [1, 0, 0]])
    log.decided('a', 'success')
    expect(stateOf(folded)).toBe('done')
  })

  it('at risk from a failure until a check has read it and found it well; a person’s word is none', () => {
    const folded = foldedChain()
    const { log } = folded
    log.stored(1)
    log.recorded(1, 'a', 'b')
    log.handedOver(1, 2)
    log.checked('a', 'b')
    const failed = log.decided('a', 'failure', { followUps: ['resolve'] })
    expect([stateOf(folded), sumsOf(folded)]).toEqual(['at-risk', [2, 1, 1]])
    expect(folded.row('chain-parts', { path: 'a' })).toMatchObject({
      state: 'failed',
      finding: 'it is a failure',
      failedBy: Number(failed.position),
    })
    log.item('a', 'ResolutionClosed', { how: 'repaired', reason: 'from the copy' })
    log.decided('a', 'success', { evidence: { content: { status: 'not-attempted' } } })
    expect(stateOf(folded)).toBe('at-risk')
    const well = log.checked('a')
    expect([stateOf(folded), sumsOf(folded)]).toEqual(['done', [2, 2, 0]])
    expect(folded.row('chain-parts', { path: 'a' })).toMatchObject({
      state: 'verified',
      finding: null,
      clearedBy: Number(well.position),
    })
  })

  it('at risk while a check waits for a person, and when a person declares a file lost', () => {
    const folded = foldedChain()
    const { log } = folded
    log.stored(1)
    log.recorded(1, 'a')
    log.handedOver(1, 1)
    log.item('a', 'CheckParked', { error: 'the disk does not answer' })
    expect([stateOf(folded), sumsOf(folded)]).toEqual(['at-risk', [1, 0, 1]])
    log.decided('a', 'failure', { followUps: ['resolve'] })
    log.item('a', 'ResolutionClosed', { how: 'lost', reason: 'no copy' })
    // The next check finds the same, which is settled.
    log.decided('a', 'failure')
    expect([stateOf(folded), sumsOf(folded)]).toEqual(['at-risk', [1, 0, 1]])
    expect(folded.row('chain-parts')).toMatchObject({ state: 'lost', finding: 'declared lost: no copy' })
  })

  it('well where a person accepted what was found, until something else is found', () => {
    const folded = foldedChain()
    const { log } = folded
    log.stored(1)
    log.recorded(1, 'a')
    log.handedOver(1, 1)
    log.decided('a', 'failure', { followUps: ['resolve'] })
    log.item('a', 'ResolutionClosed', { how: 'accepted', reason: 'it is as it should be' })
    log.decided('a', 'failure')
    expect([stateOf(folded), sumsOf(folded)]).toEqual(['done', [1, 1, 0]])
    log.decided('a', 'failure', { followUps: ['resolve'] })
    expect([stateOf(folded), sumsOf(folded)]).toEqual(['at-risk', [1, 0, 1]])
  })

  it('at risk where a version cannot be handed over, until it is', () => {
    const folded = foldedChain()
    const { log } = folded
    log.stored(1)
    log.dossier('HandOverFailed', { version: 1, rule: 'fixity', reason: 'gone' })
    expect(stateOf(folded)).toBe('at-risk')
    log.handedOver(1, 1)
    expect(stateOf(folded)).toBe('working')
  })

  it('working again with the next version, whose records at the top replace those before', () => {
    const folded = foldedChain()
    const { log } = folded
    log.stored(1)
    log.recorded(1, 'v1/a', 'inventory.json')
    log.handedOver(1, 1, 1)
    log.checked('v1/a', 'inventory.json')
    expect([stateOf(folded), sumsOf(folded)]).toEqual(['done', [2, 2, 0]])
    log.stored(2)
    log.recorded(2, 'v2/b', 'inventory.json')
    log.handedOver(2, 1, 1)
    expect([stateOf(folded), sumsOf(folded)]).toEqual(['working', [3, 1, 0]])
    expect(folded.row('chain-versions', { version: 1 })).toMatchObject({ parts: 1, verified: 1 })
    log.checked('v2/b', 'inventory.json')
    expect([stateOf(folded), sumsOf(folded)]).toEqual(['done', [3, 3, 0]])
    expect(folded.row('chain-versions', { version: 2 })).toMatchObject({ parts: 2, verified: 2 })
  })

  it('withdrawn, with a reason, when storage holds nothing of it', () => {
    const folded = foldedChain()
    const { log } = folded
    log.stored(1)
    log.recorded(1, 'a', 'b')
    log.handedOver(1, 2)
    log.checked('a')
    log.decided('b', 'failure', { followUps: ['resolve'] })
    log.dossier('VersionsWithdrawn', { keep: 0, reason: 'a wish' })
    log.dossier('DossierClosed', { reason: 'a wish' })
    for (const path of ['a', 'b']) log.item(path, 'ContentRemoved', {})
    expect([stateOf(folded), sumsOf(folded)]).toEqual(['withdrawn', [0, 0, 0]])
    expect(folded.row('chain-dossiers')).toMatchObject({ reason: 'a wish', version: 0 })
    // It comes again: as a first version.
    log.stored(1)
    log.recorded(1, 'a', 'b')
    log.handedOver(1, 2)
    log.checked('a', 'b')
    expect([stateOf(folded), sumsOf(folded)]).toEqual(['done', [2, 2, 0]])
  })

  it('as it was before, when a version is taken back', () => {
    const folded = foldedChain()
    const { log } = folded
    for (const version of [1, 2]) {
      log.stored(version)
      log.recorded(version, `v${version}/a`, 'inventory.json')
      log.handedOver(version, 1, 1)
      log.checked(`v${version}/a`, 'inventory.json')
    }
    log.dossier('VersionsWithdrawn', { keep: 1, reason: 'a slip' })
    log.item('v2/a', 'ContentRemoved', {})
    log.recorded(1, 'inventory.json')
    log.dossier('ContentWithdrawn', { keep: 1, rule: 'fixity', parts: 1, shared: 1 })
    expect([stateOf(folded), sumsOf(folded)]).toEqual(['working', [2, 1, 0]])
    log.checked('inventory.json')
    expect([stateOf(folded), sumsOf(folded)]).toEqual(['done', [2, 2, 0]])
  })
})

describe('a part is', () => {
  it('none of an object where others recorded it, and stays one where they record it anew', () => {
    const folded = foldedChain()
    const { log } = folded
    log.stored(1)
    log.recordedByOthers('x')
    log.checked('x')
    expect(folded.rows('chain-parts')).toEqual([])
    log.recorded(1, 'a')
    log.handedOver(1, 1)
    log.checked('a')
    log.recordedByOthers('a')
    expect([stateOf(folded), sumsOf(folded)]).toEqual(['working', [1, 0, 0]])
    expect(folded.row('chain-parts')).toMatchObject({ object, state: 'unchecked' })
  })

  it('not verified by a batch that was claimed before its last record', () => {
    const folded = foldedChain()
    const { log } = folded
    log.stored(1)
    log.recorded(1, 'a')
    log.recordedByOthers('a')
    log.handedOver(1, 1)
    log.checkedAt('a', 0)
    expect(folded.row('chain-parts')).toMatchObject({ state: 'unchecked' })
    log.checkedAt('a', 1)
    expect(folded.row('chain-parts')).toMatchObject({ state: 'verified' })
  })

  it('no longer counted where others removed it, and again where they record it', () => {
    const folded = foldedChain()
    const { log } = folded
    log.stored(1)
    log.recorded(1, 'a', 'b')
    log.handedOver(1, 2)
    log.checked('a', 'b')
    log.item('b', 'ContentRemoved', {})
    expect([stateOf(folded), sumsOf(folded)]).toEqual(['done', [1, 1, 0]])
    log.decided('b', 'nothing')
    log.recordedByOthers('b')
    expect([stateOf(folded), sumsOf(folded)]).toEqual(['working', [2, 1, 0]])
  })
})

it('an adoption is shown as far as it has come', () => {
  const folded = foldedChain()
  const { log } = folded
  log.archive('RuleBegun', { after: '7' })
  expect(folded.row('chain-adoption')).toMatchObject({ rule: 'fixity', requestedAt: null })
  log.archive('AdoptionRequested', { reason: 'all of it' })
  log.archive('AdoptionReached', { position: '5', versions: 3 })
  expect(folded.row('chain-adoption')).toMatchObject({ until: 2, reached: 5, versions: 3, endedAt: null })
  log.archive('AdoptionEnded', { versions: 4 })
  expect(folded.row('chain-adoption')).toMatchObject({ versions: 4, endedAt: expect.any(String) })
})
