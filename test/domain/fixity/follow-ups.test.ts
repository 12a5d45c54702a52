import { describe, expect, it } from 'vitest'
import { by, given, history, observe, only, policy, recorded, t, typesOf } from './commands.ts'
import { md5, sha256 } from './witnesses.ts'

const decidedBy = (...args: Parameters<typeof observe>) => given(recorded()).when(observe(...args))

describe('what follows', () => {
  it('F2: a finding with an id that says the item and the run', () => {
    const { events } = decidedBy('BAAA', 1)
    expect(typesOf(events)).toEqual(['FixityDecided', 'ResolutionOpened'])
    expect(only(events, 'ResolutionOpened')).toMatchObject({
      resolution: 'main/letters/1912/03.tif#1',
      class: 'internal',
      row: 'F2',
      at: t(1),
    })
  })

  it('F2: the same finding is not opened twice; another one is', () => {
    const open = history([recorded()], observe('BAAA', 1))
    const again = given(...open).when(observe('BAAA', 2))
    expect(typesOf(again.events)).toEqual(['FixityDecided'])
    expect(only(again.events, 'FixityDecided').followUps).toEqual([])
    const other = given(...open).when(observe('ABAA', 2))
    expect(only(other.events, 'ResolutionOpened')).toMatchObject({ row: 'F3', class: 'external' })
    expect(other.state.open).toHaveLength(2)
  })

  it('another finding of the same class is opened beside it: F6 beside F2', () => {
    const open = history([recorded()], observe('BAAA', 1))
    const { events } = given(...open).when(observe('BBBA', 2))
    expect(only(events, 'ResolutionOpened')).toMatchObject({ row: 'F6', class: 'internal' })
  })

  it("F5: index wrong: it is corrected to the audit log's word", () => {
    const audit = { status: 'recorded' as const, checksums: [sha256('A'), md5('A')], size: 3 }
    const { events } = decidedBy('AABA', 1, { audit })
    expect(only(events, 'IndexCorrected')).toEqual({
      checksums: [sha256('A'), md5('A')],
      size: 3,
      from: 'audit',
      at: t(1),
    })
  })

  it('F5: the corrected word of an outside index holds until it speaks again', () => {
    const wrong = history([recorded()], { type: 'RecordIndex', ...by(0), checksums: [sha256('B')] })
    const corrected = history(wrong, observe('AAAA', 1))
    expect(only(given(...corrected).when(observe('AAAA', 2)).events, 'FixityDecided').row).toBe('F1')
    const again = history(corrected, { type: 'RecordIndex', ...by(2), checksums: [sha256('B')] })
    expect(only(given(...again).when(observe('AAAA', 3)).events, 'FixityDecided').row).toBe('F5')
  })

  it('F5: bare audit record: index and audit log get what bytes and storage agree on', () => {
    const bare = history([], { type: 'RecordContent', ...by(0), checksums: [], recordedFrom: 'import' })
    const foreign = { algorithm: 'crc64nvme', value: 'AAAAAAAAAAA=' }
    const storage = {
      status: 'present' as const,
      size: 3,
      checksums: [sha256('A'), foreign, { algorithm: 'sha-512', value: 'a'.repeat(128) }],
    }
    const { events, state } = given(...bare).when(observe('AA-A', 1, { audit: undefined, storage }))
    expect(typesOf(events)).toEqual(['FixityDecided', 'IndexCorrected', 'AuditSupplemented'])
    expect(only(events, 'AuditSupplemented')).toEqual({
      checksums: [sha256('A')],
      from: 'storage',
      at: t(1),
    })
    expect(only(events, 'IndexCorrected')).toMatchObject({ from: 'storage', size: 3 })
    // It is what was found, and nobody had recorded it.
    expect(state.audit?.word).toEqual({
      status: 'recorded',
      checksums: [{ ...sha256('A'), basis: 'first-reading' }],
    })
  })

  it('F7: the audit log is asked to look again', () => {
    const { events } = given().when(observe('AAA-', 1, { audit: undefined }))
    expect(only(events, 'ReauditRequested')).toEqual({ row: 'F7', at: t(1) })
  })

  it('clause 7: the index entry of removed content goes, and the item is never due again', () => {
    const removed = history(
      [recorded()],
      { type: 'RecordIndex', ...by(0), checksums: [sha256('A')] },
      { type: 'RemoveContent', ...by(1), policy },
      observe('--Ax', 6, { audit: undefined }),
      observe('--Ax', 7, { audit: undefined }),
    )
    const { events, state } = given(...removed).when(observe('--Ax', 12, { audit: undefined }))
    expect(typesOf(events)).toEqual(['FixityDecided', 'IndexEntryRemoved'])
    expect(state).toMatchObject({ dueAt: null, index: { word: { status: 'removed' } } })
  })

  it('F1: findings are closed once all witnesses agree again', () => {
    const open = history([recorded()], observe('BAAA', 1), observe('ABAA', 2))
    const { events, state } = given(...open).when(observe('AAAA', 3))
    expect(typesOf(events)).toEqual(['FixityDecided', 'ResolutionClosed', 'ResolutionClosed'])
    expect(events[1]).toMatchObject({ data: { resolution: 'main/letters/1912/03.tif#1', how: 'verified' } })
    expect(state.open).toEqual([])
  })

  it('F1 from claims alone closes only what was found from claims alone', () => {
    const read = history([recorded()], observe('BAAA', 1))
    expect(typesOf(given(...read).when(observe('nAAA', 2)).events)).toEqual(['FixityDecided'])
    const claims = history([recorded()], observe('nBBA', 1))
    expect(typesOf(given(...claims).when(observe('nAAA', 2)).events)).toContain('ResolutionClosed')
  })

  it('F11 or a confirmed removal closes them too: there is nothing left to settle', () => {
    const open = history([recorded()], observe('BAAA', 1), { type: 'RemoveContent', ...by(2), policy })
    const { events } = given(...open).when(observe('---x', 8, { audit: undefined }))
    expect(only(events, 'ResolutionClosed').how).toBe('verified')
  })
})
