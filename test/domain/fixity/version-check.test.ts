import { describe, expect, it } from 'vitest'
import { type VersionSeen, versionVerdict } from '#src/domain/fixity/version-check.ts'
import { by, given, history, observe, recorded, t } from './commands.ts'
import { md5, sha256, unknownAlgorithm } from './witnesses.ts'

/* What is said of one version, by its bytes, the storage's claim and our own records of it. */

const read = (letter: string) =>
  ({ status: 'read', size: 3, checksums: [sha256(letter), md5(letter)] }) as const
const claim = (...checksums: { algorithm: string; value: string }[]) =>
  ({ status: 'present', checksums, size: 3 }) as const
const record = (letter: string) => ({ source: 'manifest', checksums: [sha256(letter)] })
const seen = (content: unknown, storage: unknown, ...records: VersionSeen['records']) =>
  ({ content, storage, records }) as VersionSeen
const notRead = { status: 'not-attempted' } as const

describe('a version', () => {
  it.each([
    ['agrees', seen(read('A'), claim(md5('A')))],
    ['agrees', seen(read('A'), claim(unknownAlgorithm), record('A'))],
    ['differs', seen(read('A'), claim(md5('B')))],
    ['differs', seen(read('A'), claim(md5('A')), record('B'))],
    ['differs', seen(read('A'), claim(), record('A'), record('B'))],
    ['not-compared', seen(read('A'), claim(unknownAlgorithm))],
    ['unread', seen(notRead, claim(sha256('A')), record('A'))],
    ['differs', seen(notRead, claim(sha256('A')), record('B'))],
    ['not-compared', seen(notRead, claim(sha256('A')))],
  ])('%s', (outcome, version) => {
    expect(versionVerdict(version).outcome).toBe(outcome)
  })

  it('that was not read agrees in nothing', () => {
    const { because } = versionVerdict(seen(notRead, claim(sha256('A')), record('A')))
    expect(because).toBe('What the storage reports equals the record of manifest. Its bytes were not read.')
  })

  it('changes nothing of the item, whatever is found', () => {
    const life = history([recorded()], observe('AAAA', 1))
    const command = {
      type: 'CheckVersion',
      ...by(2),
      versionId: 'v1',
      seen: seen(read('B'), claim(sha256('A'))),
      observedAt: t(2),
      reason: 'x',
    } as const
    const { state: before } = given(...life)
    const { events } = given(...life).when(command)
    expect(events).toMatchObject([{ type: 'VersionChecked', data: { versionId: 'v1', outcome: 'differs' } }])
    expect(given(...life, ...events).state).toEqual(before)
  })
})
