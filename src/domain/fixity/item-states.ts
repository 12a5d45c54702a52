import { isAcceptance } from './acceptance.ts'
import type { Ending } from './events.ts'

interface Meaning {
  /** Counted by the report. */
  readonly expected: boolean
  /** One sentence. */
  readonly means: string
}

/**
 * Current state of an item: exactly one of these, in the view's column `state` and in the report alike. docs/fixity.md
 * has the same sentences.
 */
export const itemStates = {
  verified: {
    expected: true,
    means: 'Its last finished check found the content equal to a checksum that others had recorded.',
  },
  baselined: {
    expected: true,
    means:
      'Its last finished check found the content as at its first reading; no recorded checksum could be compared.',
  },
  accepted: {
    expected: true,
    means: 'A person accepted it as its last finished check found it, and it was not found otherwise since.',
  },
  unread: {
    expected: true,
    means:
      'Its last finished check found that the records agree with what the storage reports; the bytes were not read.',
  },
  lost: {
    expected: true,
    means:
      'A person declared it lost as its last finished check found it, and it was not found otherwise since.',
  },
  suspect: {
    expected: true,
    means: 'Its last look found witnesses that differ; a record may be on its way, so it is looked at again.',
  },
  failed: {
    expected: true,
    means: 'Its last finished check found witnesses that differ.',
  },
  unverified: {
    expected: true,
    means: 'Its last finished check had nothing to compare the content with.',
  },
  unchecked: {
    expected: true,
    means: 'It was recorded, and no check of that record has finished.',
  },
  parked: {
    expected: true,
    means: 'It could not be checked and waits for a person, whatever an earlier check found.',
  },
  withdrawn: {
    expected: false,
    means: 'It was recorded, and then recorded as removed, whatever was found before or since.',
  },
  unrecorded: {
    expected: false,
    means: 'It was never recorded, and is not known to be there.',
  },
} as const satisfies Readonly<Record<string, Meaning>>

export type State = keyof typeof itemStates

type Expected = { [S in State]: (typeof itemStates)[S]['expected'] extends true ? S : never }[State]

export const expectedStates = (Object.keys(itemStates) as State[]).filter(
  (state): state is Expected => itemStates[state].expected,
)

/**
 * A column of the report. Items become `late` by time alone, without any event: the report distinguishes those from
 * `dated` ones.
 */
export type Part = Expected | 'late'

export const parts: readonly Part[] = [
  'verified',
  'baselined',
  'accepted',
  'unread',
  'lost',
  'suspect',
  'failed',
  'unverified',
  'unchecked',
  'late',
  'parked',
]

/**
 * States that describe the content as a check found it, which is valid for its interval only. `unread` is one of them:
 * an archived item is late when what the storage reports was not compared in time, and never because its bytes were not
 * read. Nobody reads archived bytes without a cost that a person decides on.
 */
export const dated = ['verified', 'baselined', 'accepted', 'unread'] as const satisfies readonly State[]

export type Dated = (typeof dated)[number]

export const lateMeans =
  'It is verified, baselined, accepted or unread, and its next check is overdue: `lateAfter` is past.'

interface Standing {
  readonly recordedAt: string | null
  readonly removed: number | null
  readonly parked: number | null
  readonly outcome: Outcome | null
  readonly baseline: number | null
  /** Absent in views that an older program folded. */
  readonly unread?: number | null
  readonly suspect: number | null
  /** Source of the record. */
  readonly recordedFrom: string | null
  readonly failedOn: string | null
  readonly settlement: EndedFinding | null
}

/** A person's settlement of a finding, and the observation that it ended. */
export interface EndedFinding {
  readonly how: Ending
  readonly failedOn: string
}

export type Outcome = 'success' | 'failure' | 'unverified'

export const stateOf = (standing: Standing): State => {
  const { recordedAt, removed, parked, outcome, baseline, suspect } = standing
  if (recordedAt !== null && removed === 1) return 'withdrawn'
  if (recordedAt === null && outcome === null) return 'unrecorded'
  if (parked === 1) return 'parked'
  if (suspect === 1) return 'suspect'
  const { failedOn, settlement, recordedFrom } = standing
  if (settlement && settlement.failedOn === failedOn) return settlement.how
  if (outcome === 'success' && standing.unread === 1) return 'unread'
  if (outcome === 'success' && isAcceptance(recordedFrom)) return 'accepted'
  if (outcome === 'success' && baseline === 1) return 'baselined'
  return outcome === null ? 'unchecked' : after[outcome]
}

const after = { success: 'verified', failure: 'failed', unverified: 'unverified' } as const
