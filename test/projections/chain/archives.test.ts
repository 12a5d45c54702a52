import { expect, it } from 'vitest'
import { foldedChain, object } from './log.ts'

/* Archive files of objects, and what they make of the state of the object. */

const rules = (...names: readonly string[]) => ({ rules: names })
const stateOf = (folded: ReturnType<typeof foldedChain>) => {
  const { state, archives, indexed, unindexed, captures } = folded.row('chain-dossiers', { object })!
  return [state, archives, indexed, unindexed, captures]
}

it('an object is not done before each archive file is in the index, and at risk while one cannot be', () => {
  const folded = foldedChain()
  const { log } = folded
  log.stored(1, object, rules('indexing'))
  expect(stateOf(folded)).toEqual(['working', 0, 0, 0, 0])
  log.listed(1, 'a', 'b')
  log.indexing('a', 'FileIndexed', { lines: 3 })
  log.handedToIndexing(1, 2)
  expect(stateOf(folded)).toEqual(['working', 2, 1, 0, 3])
  log.indexing('b', 'IndexingFailed', { reason: 'damaged' })
  log.indexing('b', 'FileParked', { reason: 'five times' })
  expect(stateOf(folded)).toEqual(['at-risk', 2, 1, 1, 3])
  log.indexing('b', 'FileReset', { reason: 'repaired' })
  expect(stateOf(folded)).toEqual(['at-risk', 2, 1, 1, 3])
  log.indexing('b', 'FileIndexed', { lines: 2 })
  expect(stateOf(folded)).toEqual(['done', 2, 2, 0, 5])
  log.indexing('a', 'ContentChanged')
  expect(stateOf(folded)).toEqual(['working', 2, 1, 0, 5])
  log.indexing('a', 'FileIndexed', { lines: 1 })
  expect(stateOf(folded)).toEqual(['done', 2, 2, 0, 3])
})

it('it waits for each rule that was on when it was stored, and for no other', () => {
  const folded = foldedChain()
  const { log } = folded
  log.stored(1, object, rules('fixity', 'indexing'))
  log.handedOver(1, 0)
  expect(stateOf(folded)[0]).toBe('working')
  log.handedToIndexing(1, 0)
  expect(stateOf(folded)[0]).toBe('done')
  log.stored(2)
  log.handedOver(2, 0)
  expect(stateOf(folded)[0]).toBe('done')
})

it('a version that one rule cannot hand over is stuck until that rule can', () => {
  const folded = foldedChain()
  const { log } = folded
  log.stored(1, object, rules('fixity', 'indexing'))
  log.dossier('HandOverFailed', { version: 1, rule: 'indexing', reason: 'damaged' })
  log.handedOver(1, 0)
  expect(stateOf(folded)[0]).toBe('at-risk')
  log.handedToIndexing(1, 0)
  expect(stateOf(folded)[0]).toBe('done')
})

it('a file that a person withdraws is not waited for, and those of withdrawn versions are nobody’s', () => {
  const folded = foldedChain()
  const { log } = folded
  log.stored(1, object, rules('indexing'))
  log.listed(1, 'a', 'b')
  log.handedToIndexing(1, 2)
  log.indexing('a', 'FileIndexed', { lines: 3 })
  log.indexing('b', 'IndexingFailed', { reason: 'damaged' })
  log.indexing('b', 'FileWithdrawn')
  log.indexing('b', 'FileIndexed', { lines: 9 })
  expect(stateOf(folded)).toEqual(['done', 1, 1, 0, 3])
  log.indexing('b', 'FileReset', { reason: 'a mistake' })
  expect(stateOf(folded)).toEqual(['working', 2, 1, 0, 3])
  log.indexing('b', 'FileWithdrawn')
  log.dossier('VersionsWithdrawn', { keep: 0, reason: 'a wish' })
  log.dossier('DossierClosed', { reason: 'a wish' })
  log.indexing('a', 'FileWithdrawn')
  expect(stateOf(folded)).toEqual(['withdrawn', 0, 0, 0, 0])
})

it('files of somebody else, and of no dossier, are none', () => {
  const folded = foldedChain()
  const { log } = folded
  log.stored(1, object, rules('indexing'))
  log.handedToIndexing(1, 0)
  log.indexing('crawl.warc.gz', 'FileIndexed', { lines: 3 })
  expect(stateOf(folded)).toEqual(['done', 0, 0, 0, 0])
  expect(folded.row('chain-archives', { repository: 'storage' })).toBeUndefined()
})
