import { expect, it } from 'vitest'
import type { Checksum } from '#src/domain/fixity/checksum.ts'
import { history, observe, recorded, t } from '../../domain/fixity/commands.ts'
import { sha256 } from '../../domain/fixity/witnesses.ts'
import { fixityViews } from './views.ts'

/* What an item is not called verified for. */

it('a decision of success with a first reading alone: baselined, whatever unusable words are beside it', () => {
  const reading = { ...sha256('A'), basis: 'first-reading' as const }
  const broken = { algorithm: 'sha-256', value: 'aO', basis: 'unusable' as const }
  const of = (...checksums: Checksum[]) => {
    const views = fixityViews()
    const data = { checksums, size: 3, recordedFrom: 'x', at: t(0), dueAt: t(0) }
    views.fold(
      history(
        [{ type: 'ContentRecorded', data }],
        observe('A?AA', 1, { audit: undefined, index: { status: 'recorded', checksums } }),
      ),
    )
    return views.row()
  }
  expect(of(reading)).toMatchObject({ state: 'baselined', outcome: 'success', unusable: 0 })
  expect(of(broken, reading)).toMatchObject({ state: 'baselined', unusable: 1 })
  expect(of(sha256('A'))).toMatchObject({ state: 'verified', unusable: 0 })
  expect(of(sha256('A'), sha256('B'))).toMatchObject({
    state: 'unverified',
    row: 'contradiction',
    unusable: 2,
  })
})

it('suspect ends with the decision, with a new record, and with a removal', () => {
  const suspect = history([recorded()], observe('--AA', 1))
  for (const [next, state] of [
    [history([...suspect], observe('AAAA', 2)).slice(suspect.length), 'verified'],
    [[recorded('B', 2)], 'unchecked'],
    [[{ type: 'ContentRemoved', data: { at: t(2), dueAt: t(7) } }], 'withdrawn'],
  ] as const) {
    const views = fixityViews()
    views.fold(suspect)
    expect(views.row()).toMatchObject({ state: 'suspect', suspect: 1 })
    views.fold(next)
    expect(views.row()).toMatchObject({ state, suspect: 0 })
  }
})
