import fc from 'fast-check'
import type { ContentObservation, StorageObservation, Word } from '#src/domain/fixity/messages.ts'
import type { Witnesses } from '#src/domain/fixity/witness.ts'
import { md5, sha256, unknownAlgorithm } from './witnesses.ts'

/* Witnesses of every kind, with values from so small a set that they often meet. */

const letter = fc.constantFrom('A', 'B', 'C', 'D')
const multipart = { algorithm: 'md5', value: '"9b2cf535f27731c974343645a3985328-12"' }
/** What may stand in a record: digests of known algorithms are well formed there. */
const checksums = fc.array(
  fc.oneof(
    letter.map(sha256),
    letter.map(md5),
    letter.map((l) => ({ algorithm: 'SHA256', value: sha256(l).value.toUpperCase() })),
    fc.constant(unknownAlgorithm),
  ),
  { maxLength: 3 },
)
/** What a storage may claim: anything. */
const claims = fc.tuple(checksums, fc.boolean()).map(([some, tag]) => (tag ? [multipart, ...some] : some))
const size = fc.option(fc.constantFrom(3, 4), { nil: undefined })
const sized = size.map((bytes) => (bytes === undefined ? {} : { size: bytes }))

export const anyContent: fc.Arbitrary<ContentObservation> = fc.oneof(
  letter.map((l) => ({ status: 'read' as const, size: 3, checksums: [sha256(l), md5(l)] })),
  checksums.map((some) => ({ status: 'read' as const, size: 3, checksums: some })),
  fc.constantFrom<ContentObservation>(
    { status: 'missing' },
    { status: 'not-attempted' },
    { status: 'changing' },
    { status: 'failed', error: 'connection reset' },
  ),
)

export const anyStorage: fc.Arbitrary<StorageObservation> = fc.oneof(
  fc.tuple(claims, sized).map(([some, bytes]) => ({ status: 'present' as const, checksums: some, ...bytes })),
  fc.constant({ status: 'missing' as const }),
)

export const anyWord: fc.Arbitrary<Word> = fc.oneof(
  { weight: 3, arbitrary: letter.map((l) => ({ status: 'recorded' as const, checksums: [sha256(l)] })) },
  fc
    .tuple(checksums, sized)
    .map(([some, bytes]) => ({ status: 'recorded' as const, checksums: some, ...bytes })),
  fc.constantFrom<Word>({ status: 'absent' }, { status: 'removed' }),
)

export const anyIndex = fc.oneof(
  { weight: 5, arbitrary: anyWord },
  fc.constant({ status: 'lagging' as const, behind: '1', needed: '2' }),
)

export const anyWitnesses: fc.Arbitrary<Witnesses> = fc.record({
  content: anyContent,
  storage: anyStorage,
  index: anyIndex,
  audit: anyWord,
})
