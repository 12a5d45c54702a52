import { describe, expect, it } from 'vitest'
import {
  by,
  claim,
  claimed,
  discovered,
  elsewhere,
  file,
  given,
  history,
  indexed,
  missing,
  place,
  policy,
  report,
  sight,
  t,
} from './commands.ts'

const object = 's3://crawls/a.warc.gz'

describe('the first sighting', () => {
  it('W7 is the discovery, due as soon as the file has stood still', () => {
    given().when(sight(0)).gives([discovered])
    given()
      .when(sight(0, place(100, -3)))
      .gives([
        { type: 'FileDiscovered', data: { ...place(100, -3), kind: 'content', at: t(0), dueAt: t(7) } },
      ])
  })

  it('of a file whose clock runs ahead, or that has no date, counts from now', () => {
    const dueAt = (seen: Parameters<typeof sight>[1]) => given().when(sight(0, seen)).state.dueAt
    expect(dueAt(place(100, 600))).toBe(t(10))
    expect(dueAt({ location: '/srv/a.warc.gz' })).toBe(t(10))
  })

  it('W7 of an object in a bucket is due at once: storage shows none before all of it is there', () => {
    for (const seen of [place(100, 0, object), place(100, 600, object), { location: object }])
      expect(given().when(sight(0, seen)).state.dueAt).toBe(t(0))
    // An object that is overwritten is whole again.
    given(...history([], sight(0, place(100, 0, object))))
      .when(sight(3, place(200, 2, object)))
      .gives([{ type: 'ContentChanged', data: { ...place(200, 2, object), at: t(3), dueAt: t(3) } }])
    // A name that says that a harvester writes it is of no kind that is read, wherever it is.
    const open = { file: { ...file, name: 'a.warc.gz.open' } }
    expect(given().when(sight(0, place(100, 0, `${object}.open`), open)).state.dueAt).toBeNull()
  })

  it('W2 shows a file of no known kind, and nothing is due', () => {
    const command = sight(0, place(), { file: { ...file, name: 'crawl.log' } })
    const { state } = given().when(command)
    expect(state).toMatchObject({ known: true, kind: 'unknown', dueAt: null })
    given(...history([], command))
      .when(claim(1))
      .gives('not-due')
  })

  it('W2 a file known before its suffix was read gets its kind at the next sighting', () => {
    const wacz = { file: { ...file, name: 'a.wacz' } }
    const before = {
      type: 'FileDiscovered',
      data: { ...place(), kind: 'unknown', at: t(0), dueAt: null },
    } as const
    given(before)
      .when(sight(60, place(), wacz))
      .gives([{ type: 'KindGiven', data: { kind: 'content', at: t(60), dueAt: t(-50) } }])
    given(before)
      .when(sight(60, place(), { file: { ...file, name: 'a.bin' } }))
      .gives([])
  })

  it('W2 the producer may say what it is, at once or later', () => {
    const unnamed = { file: { ...file, name: 'a.bin' } }
    expect(given().when(sight(0, place(), { ...unnamed, kind: 'metadata' })).state.kind).toBe('metadata')
    const known = history([], sight(0, place(), unnamed))
    given(...known)
      .when(sight(5, place(), { ...unnamed, kind: 'content' }))
      .gives([{ type: 'KindGiven', data: { kind: 'content', at: t(5), dueAt: t(-50) } }])
  })
})

describe('a later sighting', () => {
  it('W6 of the same file is no fact', () => {
    given(discovered).when(sight(60)).gives([])
    given(discovered)
      .when(sight(60, { location: '/srv/a.warc.gz' }))
      .gives([])
  })

  it('of another size or date has it read anew, once it stands still', () => {
    for (const seen of [place(200), place(100, 55)]) {
      const [changed] = given(discovered, claimed(0, 1), indexed(1, 1)).when(sight(60, seen)).events
      expect(changed).toMatchObject({ type: 'ContentChanged', data: seen })
    }
    const { state } = given(discovered, claimed(0, 1), indexed(1, 1)).when(sight(60, place(200, 55)))
    expect(state).toMatchObject({ status: 'changed', dueAt: t(65), hasLines: true })
  })

  it('that says more is kept, and nothing is read for it', () => {
    const adopted = history([], { type: 'Adopt', ...by(0) })
    const sighted = history(adopted, sight(5))
    expect(sighted.at(-1)).toEqual({ type: 'FileMoved', data: { ...place(), at: t(5), dueAt: null } })
    given(...sighted)
      .when(sight(6))
      .gives([])
    given(...sighted)
      .when(claim(7))
      .gives('not-due')
  })

  it('W5 of a file that had gone puts it back into the queue', () => {
    const gone = history([discovered], claim(0), report(1, 1, missing))
    given(...gone)
      .when(claim(60))
      .gives('not-due')
    given(...gone)
      .when(sight(61))
      .gives([{ type: 'FileSeenAgain', data: { at: t(61), dueAt: t(61) } }])
    given(...gone)
      .when(sight(61, elsewhere()))
      .gives([{ type: 'FileMoved', data: { ...elsewhere(), at: t(61), dueAt: t(-50) } }])
  })

  it('of what was withdrawn, or parked by a person, changes nothing', () => {
    const withdrawn = history([discovered], { type: 'Withdraw', ...by(1) })
    given(...withdrawn)
      .when(sight(60, place(200)))
      .gives([])
    const parked = history(
      [discovered],
      { type: 'Park', ...by(1), reason: 'to be looked at' },
      sight(60, place(200)),
    )
    given(...parked)
      .when(claim(90))
      .gives('not-due')
  })

  it('of other contents gives a file that failed too often another chance', () => {
    const parked = history(
      [discovered],
      ...[0, 20, 40].flatMap((at, i) => [
        claim(at),
        report(at + 1, i + 1, { status: 'failed', code: 'truncated', reason: 'cut' }),
      ]),
    )
    expect(parked.at(-1)?.type).toBe('FileParked')
    expect(given(...parked).when(sight(60, place(200, 45))).state).toMatchObject({
      status: 'new',
      failures: 0,
      dueAt: t(55),
    })
  })
})

describe('one name in two places', () => {
  const twice = history([discovered, claimed(0, 1), indexed(1, 1)], sight(5, elsewhere()))

  it('is compared, whatever size and date say', () => {
    expect(twice.at(-1)).toEqual({ type: 'CopySighted', data: { ...elsewhere(), at: t(5), dueAt: t(-50) } })
    given(...twice)
      .when(sight(6, elsewhere()))
      .gives([])
    const claimedAt = given(...twice).when(claim(7))
    expect(claimedAt.events).toEqual([claimed(7, 2, elsewhere().location)])
  })

  const comparing = history(twice, claim(7))
  it.each([
    ['same', { type: 'CopyConfirmed', data: { ...elsewhere(), at: t(8) } }],
    ['different', { type: 'ConflictFound', data: { ...elsewhere(), because: 'as read', at: t(8) } }],
    ['copy-gone', { type: 'CopyGone', data: { ...elsewhere(), at: t(8) } }],
    ['moved', { type: 'FileMoved', data: { ...elsewhere(), at: t(8), dueAt: null } }],
  ] as const)('with the verdict "%s" is settled once', (verdict, event) => {
    const outcome = { status: 'compared', verdict, because: 'as read' } as const
    const settled = given(...comparing).when(report(8, 2, outcome))
    settled.gives([event])
    given(...comparing, event)
      .when(claim(60))
      .gives('not-due')
    expect(settled.state).toMatchObject({ status: 'indexed', hasLines: true })
  })

  it('that moved with other contents is read there', () => {
    const moved = history(
      history(history(twice.slice(0, 3), sight(5, elsewhere(200))), claim(7)),
      report(8, 2, { status: 'compared', verdict: 'moved', because: 'gone' }),
    )
    expect(given(...moved).state).toMatchObject({ status: 'changed', place: elsewhere(200) })
    expect(given(...moved).when(claim(9)).events).toEqual([claimed(9, 3)])
  })

  it('that cannot be compared is for a person, and one that grows for later', () => {
    expect(
      given(...comparing).when(report(8, 2, { status: 'failed', code: 'unreadable', reason: 'no right' }))
        .events,
    ).toEqual([
      {
        type: 'ConflictFound',
        data: { ...elsewhere(), because: 'they could not be compared: no right', at: t(8) },
      },
    ])
    given(...comparing)
      .when(report(8, 2, { status: 'growing', size: 120, modifiedAt: t(8) }))
      .gives([{ type: 'CopySighted', data: { ...elsewhere(120, 8), at: t(8), dueAt: t(18) } }])
    expect(
      given(...comparing)
        .when({ type: 'ExpireClaim', ...by(12), policy })
        .events.map(({ type }) => type),
    ).toEqual(['ClaimExpired', 'ConflictFound'])
  })

  it('is settled by a reset, after which it is compared again if it is sighted', () => {
    const reset = history(comparing, { type: 'Reset', ...by(9), reason: 'the other one is gone' })
    expect(given(...reset).state.copies).toEqual([])
    expect(given(...reset).when(sight(10, elsewhere())).events).toMatchObject([{ type: 'CopySighted' }])
  })
})

describe('what was indexed before', () => {
  const adopt = { type: 'Adopt', ...by(0) } as const

  it('is adopted once, and not read', () => {
    const adopted = history([], adopt)
    expect(adopted).toEqual([{ type: 'FileAdopted', data: { kind: 'content', at: t(0) } }])
    given(...adopted)
      .when(adopt)
      .gives([])
  })

  it('may have been sighted, or have failed, before somebody says so', () => {
    const failed = history([discovered], claim(0), report(1, 1, missing), adopt)
    expect(given(...failed).state).toMatchObject({
      status: 'indexed',
      failures: 0,
      dueAt: null,
      isMissing: false,
    })
  })

  it('is read anew when it changes', () => {
    const adopted = history([], { ...adopt, place: place() })
    expect(given(...adopted).when(sight(60, place(200))).state.status).toBe('changed')
  })
})

describe('a withdrawal', () => {
  it('ends all, and names the last claim', () => {
    given(discovered, claimed(0, 1))
      .when({ type: 'Withdraw', ...by(1), reason: 'taken down' })
      .gives([{ type: 'FileWithdrawn', data: { fence: 1, at: t(1), reason: 'taken down' } }])
    const withdrawn = history([discovered, claimed(0, 1)], { type: 'Withdraw', ...by(1) })
    given(...withdrawn)
      .when(report(2, 1, missing))
      .gives('fenced')
    given(...withdrawn)
      .when({ type: 'Withdraw', ...by(2) })
      .gives([])
    given(...withdrawn)
      .when({ type: 'Adopt', ...by(2) })
      .gives([])
  })

  it('of an unknown file is refused', () => {
    given()
      .when({ type: 'Withdraw', ...by(1) })
      .gives('unknown-file')
  })
})
