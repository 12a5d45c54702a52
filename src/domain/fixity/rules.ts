import type { FollowUp, Outcome, ResolutionClass } from './events.ts'

/** The party that resolves a finding. `replica`: Fonds if there is a good second copy, else the storage provider. */
export type Settler = ResolutionClass | 'replica'

/** Meaning of a pattern of witnesses, independent of the attempt. */
export interface Finding {
  readonly row: string
  readonly outcome: Exclude<Outcome, 'retry' | 'deferred'>
  /** A record may still be in flight: the content is checked again, and only the last attempt counts. */
  readonly lag: boolean
  readonly settler?: Settler
  readonly mending: readonly Exclude<FollowUp, 'resolve'>[]
  readonly because: string
}

type Then = Settler | Exclude<FollowUp, 'resolve'>
type Rule = readonly [RegExp, Finding]

const isSettler = (then: Then): then is Settler =>
  then === 'internal' || then === 'external' || then === 'manual' || then === 'replica'

const rule = (
  row: string,
  pattern: string,
  outcome: Finding['outcome'],
  lag: boolean,
  then: readonly Then[],
  because: string,
): Rule => {
  const settler = then.find(isSettler)
  const mending = then.filter((each) => !isSettler(each))
  return [new RegExp(`^(${pattern})$`), { row, outcome, lag, ...(settler && { settler }), mending, because }]
}

const success = (row: string, pattern: string, because: string) =>
  rule(row, pattern, 'success', false, [], because)
const nothing = (row: string, pattern: string, because: string) =>
  rule(row, pattern, 'nothing', false, [], because)
const unverified = (row: string, pattern: string, then: readonly Then[], because: string) =>
  rule(row, pattern, 'unverified', false, then, because)
const now = (row: string, pattern: string, then: readonly Then[], because: string) =>
  rule(row, pattern, 'failure', false, then, because)
const lag = (row: string, pattern: string, then: readonly Then[], because: string) =>
  rule(row, pattern, 'failure', true, then, because)

/**
 * Every pattern has a rule; the first that matches counts. The audit log is the arbiter of intent, the bytes of fact,
 * the storage's claim breaks ties, the index is only a derived copy. An index that cannot be compared is silent: it is
 * neither confirmed nor corrected. An audit log that cannot be compared never makes a success.
 */
export const rules: readonly Rule[] = [
  success('F1', 'AAAA|nAAA', 'All witnesses agree.'),
  now('F2', 'ABBB', ['replica'], 'The content went sour: all records agree against the bytes.'),
  now('F3', 'ABAA', ['external'], "The storage's own checksum is wrong; the bytes are as recorded."),
  lag('F4', 'nABB', ['external'], 'The storage claims another checksum than index and audit log record.'),
  now('F5', '(A[A?]|nA)[-B]A', ['correct-index'], 'The index is wrong or missing; the audit log is right.'),
  now('F6', 'A[A?]AB|nAAB', ['internal'], 'The audit log is out of sync with all other witnesses.'),
  now('F7', 'A[A?]A-|nAA-', ['re-audit'], 'The audit log has no record; all other witnesses agree.'),
  lag('F8', '[-n]-AA', ['internal'], 'The object is gone; index and audit log still record it.'),
  lag('F9', '(A[A?]|nA)--', ['re-audit'], 'The object is there, but nobody has recorded it.'),
  lag('F10', 'AAB[BC]', ['re-audit'], 'The object was updated; index and audit log know nothing of it.'),
  nothing('F11', '[-n]---', 'There is no object, and none is recorded.'),

  // 7. The audit log recorded a removal.
  nothing('clause 7', '[-n]--x', 'The object is gone, as the audit log recorded.'),
  lag('clause 7', '[-n]-.x', ['remove-index'], 'The object is gone as recorded; the index still lists it.'),
  lag('clause 7', '..-x', ['re-audit'], 'A removal was recorded, but the object is still there.'),
  lag('clause 7', '...x', ['internal'], 'A removal was recorded, but object and index entry remain.'),

  // 1. Bytes or storage say 404.
  lag('clause 1', '[-n]-..', ['internal'], 'The object is gone, but a record of it remains.'),
  lag('clause 1', '-...', ['external'], 'The storage lists the object but cannot serve it.'),
  lag('clause 1', '.-..', ['external'], 'The object can be read, but the storage does not list it.'),

  // 6. Nothing to compare with at the storage, or in the bytes.
  unverified('clause 6', '[?]...', [], 'No known digest of the content was computed.'),
  unverified('clause 6', 'n[?]..', [], 'Nothing was read, and the storage has no comparable checksum.'),
  success('clause 6', 'A[?][A?]A', 'The bytes are as recorded; the storage has no comparable checksum.'),
  lag('clause 6', 'A[?][-B?]B', ['internal'], 'The bytes are not as recorded; the storage cannot say why.'),
  lag('clause 6', 'A[?]B.', ['manual'], 'Bytes and index differ, and nobody else can tell which is right.'),

  // 5. The content is never read: claims and records alone.
  lag('clause 5', 'nABC', ['manual'], 'Storage, index and audit log all say different things.'),
  lag('clause 5', 'nA([-?]B|B[-?])', ['external'], "The storage's claim is not what is recorded."),
  lag('clause 5', 'nA[?]-', ['re-audit'], 'The object is there, but no comparable record of it is.'),
  unverified('clause 5', 'nA[?]A', [], 'Nothing was read, and the index cannot be compared.'),
  unverified('clause 5', 'nA.[?]', ['re-audit'], 'Nothing was read, and the audit log cannot be compared.'),

  // 2. The bytes are what the audit log says.
  success('clause 2', 'AA[?]A', 'Bytes, storage and audit log agree; the index cannot be compared.'),
  lag('clause 2', 'AB[?]A', ['external'], "The storage's own checksum is wrong; the bytes are as recorded."),
  lag('clause 2', 'AB.A', ['external', 'correct-index'], 'Storage and index are wrong; the bytes are right.'),

  // 3. The bytes are not what the audit log says.
  lag('clause 3', 'AA.B', ['re-audit'], 'The object was updated; the audit log knows nothing of it.'),
  lag('clause 3', 'AB[?]B', ['replica'], 'The content went sour: storage and audit log agree against it.'),
  lag('clause 3', 'AB.B', ['replica', 'correct-index'], 'The content went sour; the index is wrong too.'),
  lag('clause 3', 'ABCC', ['replica'], 'The content went sour: index and audit log agree against it.'),

  // 4. The audit log has no record, or none that can be compared.
  lag('clause 4', 'AAB[-?]|A[A?][?]-', ['re-audit'], 'The object was updated; no record shows it.'),
  lag('clause 4', 'ABB[-?]', ['replica'], 'The content went sour: storage and index agree against it.'),
  lag('clause 4', 'AB[-A?][-?]', ['external'], "The storage's own checksum is not that of the bytes."),
  lag('clause 4', 'ABC[-?]', ['manual'], 'Bytes, storage and index all say different things.'),
  unverified('clause 4', 'A..[?]', ['re-audit'], 'The audit log has no word that can be compared.'),
]

/** Clause 3, at its end: no two witnesses agree that could decide it, so no record is corrected. */
const disagreement: Finding = {
  row: 'clause 3',
  outcome: 'failure',
  lag: true,
  settler: 'manual',
  mending: [],
  because: 'The bytes are not as recorded, and the other witnesses do not agree on what is.',
}

/** F5 if the audit log has a record without any checksum: bytes and storage together supply it. */
const supplement: Finding = {
  row: 'F5',
  outcome: 'failure',
  lag: false,
  mending: ['correct-index', 'supplement-audit'],
  because: 'The index entry is wrong or missing and the audit record is bare; bytes and storage agree.',
}

/** `bare`: the audit log has a record, but no checksum in it. */
export const findingOf = (pattern: string, bare: boolean): Finding =>
  bare && /^AA[-B]\?$/.test(pattern) ? supplement : ruled(pattern)

/** Cache: patterns are few, and most checks have the same one. */
const known = new Map<string, Finding>()

const ruled = (pattern: string): Finding => {
  const finding = known.get(pattern) ?? rules.find(([matches]) => matches.test(pattern))?.[1] ?? disagreement
  known.set(pattern, finding)
  return finding
}
