import { beforeEach, describe, expect, it } from 'vitest'
import { t } from './catalogue.ts'
import { type Folded, folded } from './folding.ts'

let all: Folded
beforeEach(() => {
  all = folded()
})
const work = (id = 'A') => all.row('matching-works', { work: id })

describe('a work', () => {
  it('is shown as its source last described it', () => {
    all.log.say('A', { title: 'Old', links: ['B'] })
    all.log.say('A', { title: 'New', state: 'invisible', version: 7, fields: { pages: 2 } })
    expect(work()).toMatchObject({
      source: 'library',
      sourceVersion: 7,
      title: 'New',
      state: 'invisible',
      links: [],
      fields: { pages: 2 },
      revision: 1,
      updatedAt: t(1),
      corrections: null,
    })
  })

  it('counts how often the same version came with other content', () => {
    all.log.say('A')
    all.log.say('A', { title: 'x' }, 'WorkCorrected')
    all.log.say('A', { title: 'y' }, 'WorkCorrected')
    all.log.say('A', { title: 'z' })
    expect(work()).toMatchObject({ corrections: 2 })
  })

  it('M17: waits for the matcher from its last event on, until a change names that revision', () => {
    all.log.say('A')
    expect(work()).toMatchObject({ unmatchedSince: t(0) })
    all.log.flush()
    expect(work()).toMatchObject({ unmatchedSince: null })
    all.log.resend('A')
    expect(work()).toMatchObject({ unmatchedSince: t(2), revision: 1 })
    all.log.flush()
    expect(work()).toMatchObject({ unmatchedSince: null })
  })

  it('M17: a change made from an older revision does not end the wait', () => {
    all.log.say('A')
    all.log.say('A', { title: 'newer' })
    all.log.record('graph-1', {
      type: 'GraphChanged',
      data: {
        version: 5,
        timeSent: t(2),
        through: '0',
        causes: [{ work: 'A', revision: 0, type: 'WorkObserved' }],
        groups: [{ component: 'A', size: 1, piece: 0, pieces: 1, members: [['A', 0]], placeholders: [] }],
        dropped: [],
      },
    })
    expect(work()).toMatchObject({ unmatchedSince: t(1) })
  })

  it('that is handed over keeps what was said of it (M9), and waits for the matcher', () => {
    all.log.say('A', { title: 'Mine' })
    all.log.flush()
    all.log.handOver('A', 'axiell')
    expect(work()).toMatchObject({ source: 'library', title: 'Mine', revision: 1, unmatchedSince: t(2) })
  })
})

describe('links', () => {
  const link = (from: string, to: string) => all.row('matching-links', { from, to })

  it('one that stays keeps the event that first stated it, and takes new reasons', () => {
    all.log.say('A', { links: ['B'] })
    all.log.say('A', { links: ['B', 'C'], reasons: ['cites'] })
    expect(link('A', 'B')).toMatchObject({ statedAt: t(0), revision: 0, position: 0, reasons: ['cites'] })
    expect(link('A', 'C')).toMatchObject({ statedAt: t(1), revision: 1, position: 1 })
  })

  it('one that went and came back is stated from then on', () => {
    all.log.say('A', { links: ['B'] })
    all.log.say('A')
    expect(link('A', 'B')).toBeUndefined()
    all.log.say('A', { links: ['B'] })
    expect(link('A', 'B')).toMatchObject({ statedAt: t(2), revision: 2 })
  })

  it('those of a deleted work stay stated', () => {
    all.log.say('A', { links: ['B'] })
    all.log.say('A', { links: ['B'], state: 'deleted' })
    expect(link('A', 'B')).toMatchObject({ statedAt: t(0) })
  })
})

describe('placeholders', () => {
  const placeholder = (id: string) => all.row('matching-placeholders', { id })

  it('count the works that name them, whatever their state, and go with the last link', () => {
    all.log.say('A', { links: ['P'] })
    all.log.say('B', { links: ['P'], state: 'deleted' })
    expect(placeholder('P')).toMatchObject({ namedBy: 2, since: t(0) })
    all.log.say('A')
    expect(placeholder('P')).toMatchObject({ namedBy: 1 })
    all.log.say('B', { state: 'deleted' })
    expect(placeholder('P')).toBeUndefined()
  })

  it('go when a source describes them, and do not come back', () => {
    all.log.say('A', { links: ['P'] })
    all.log.say('P', { state: 'deleted' })
    expect(placeholder('P')).toBeUndefined()
    all.log.say('B', { links: ['P'] })
    all.log.say('A')
    expect(all.rows('matching-placeholders')).toEqual([])
  })
})

describe('M12: refusals', () => {
  const details = { work: 'A', offered: 3, held: 4 }

  it('an older version shows what was offered and what is held', () => {
    all.log.refuse({ details })
    expect(all.rows('matching-refusals')).toEqual([
      {
        position: 0,
        stage: 'source',
        ...details,
        generation: null,
        code: 'older-version',
        message: 'm1',
        source: 'sierra',
        because: 'it is older',
        at: t(0),
      },
    ])
  })

  it('a document of an older graph shows its generation', () => {
    all.log.refuse({
      processor: 'matching-merger',
      code: 'older-graph',
      details: { ...details, generation: 2 },
    })
    expect(all.rows('matching-refusals')).toMatchObject([{ stage: 'index', generation: 2, work: 'A' }])
  })

  it('another source is not the owner: there are no numbers to compare', () => {
    all.log.refuse({ code: 'other-source', details: { work: 'A', source: 'mets', heldBy: 'sierra' } })
    expect(all.rows('matching-refusals')).toMatchObject([{ code: 'other-source', offered: null, held: null }])
  })

  it('without details the stream names the work', () => {
    all.log.refuse({ stream: 'work-x-1' })
    expect(all.rows('matching-refusals')).toMatchObject([{ work: 'x-1' }])
  })

  it('what other processors refuse, and other codes, are not ours', () => {
    all.log.refuse({ processor: 'fixity-observations' })
    all.log.refuse({ code: 'unknown-work' })
    expect(all.rows('matching-refusals')).toEqual([])
    expect(all.rows('matching-generations')).toEqual([])
  })
})
