import type { Lease } from '../kernel/lease.ts'
import { asFirstReading, type Checksum } from './checksum.ts'
import {
  type FixityEvent,
  isEnding,
  type Outcome,
  type Queue,
  type ResolutionClass,
  type Settlement,
} from './events.ts'
import type { Word } from './messages.ts'
import { seenOf, type Witnesses } from './witness.ts'

/** What a witness last said, its source, and when. */
export interface WordHeard {
  readonly word: Word
  readonly source: string
  readonly heardAt: string
  /** The producer's own version of the content. */
  readonly version?: string
}

interface OpenResolution {
  readonly resolution: string
  readonly class: ResolutionClass
  readonly row: string
  /** The finding comes from claims alone, without reading the bytes. Any other is resolved by reading them alone. */
  readonly unread: boolean
}

/** A finding that a person closed, and what had been seen: `accepted` and `lost` end it for that, the others are claims. */
interface SettledFinding {
  readonly resolution: string
  readonly how: Settlement
  readonly seen: string
}

interface LastDecision {
  readonly observedAt: string
  readonly row: string
  readonly outcome: Outcome
  readonly pattern: string
  /** What the bytes were, where they were read. */
  readonly read?: { readonly checksums: readonly Checksum[]; readonly size: number }
}

/** What decisions about one item need; its size does not grow with the item's history. */
export interface ItemState {
  readonly known: boolean
  /** Undefined until the audit log says something. */
  readonly audit?: WordHeard
  /** Undefined until an outside index says something. */
  readonly index?: WordHeard
  /** Number of the run under way or next to come. */
  readonly run: number
  /** Attempts of this run that are used up. */
  readonly failures: number
  /** Restarts in this run that used up no attempt. */
  readonly deferrals: number
  readonly lease?: Lease
  /** Highest fence ever granted; 0 = none. */
  readonly lastFence: number
  /** The last holder that was taken for dead, and the run in which that used up an attempt. */
  readonly silenced?: { readonly fence: number; readonly run: number }
  readonly queue: Queue
  /** When the next check is due; null when none is. */
  readonly dueAt: string | null
  readonly parked: boolean
  /** One a row and class. */
  readonly open: readonly OpenResolution[]
  readonly last?: LastDecision
  /** What the last finished check of this record saw, where that was a failure. */
  readonly failedOn?: string
  /** The last one. */
  readonly settled?: SettledFinding
  /** When the last attempt failed. */
  readonly failedAt?: string
  /** A look at this record saw a file, and no symbolic link. */
  readonly seenAsFile?: true
}

export const initial: ItemState = {
  known: false,
  run: 1,
  failures: 0,
  deferrals: 0,
  lastFence: 0,
  queue: 'low',
  dueAt: null,
  parked: false,
  open: [],
}

export const evolve = (state: ItemState, event: FixityEvent): ItemState => ({
  ...after(state, event),
  known: true,
})

const after = (state: ItemState, { type, data }: FixityEvent): ItemState => {
  switch (type) {
    case 'ContentRecorded':
      return {
        ...withoutLooks(freshRun(state)),
        audit: auditWord(data),
        queue: 'low',
        dueAt: data.dueAt,
      }
    case 'ContentRemoved': {
      const audit: WordHeard = { word: { status: 'removed' }, source: 'audit log', heardAt: data.at }
      return { ...freshRun(state), audit, queue: 'low', dueAt: data.dueAt }
    }
    case 'IndexRecorded':
      return { ...state, index: indexWord({ ...data, status: 'recorded' }, data.at) }
    case 'IndexRemoved':
      return { ...state, index: indexWord({ status: 'removed' }, data.at) }
    case 'CheckRequested':
      return { ...freshRun(state), queue: data.queue, dueAt: data.dueAt }
    case 'CheckClaimed':
      return { ...state, lease: leaseOf(data), lastFence: data.fence }
    case 'ClaimExtended':
      return state.lease ? { ...state, lease: { ...state.lease, deadline: data.deadline } } : state
    case 'ClaimReleased':
      return isTakenBack(state, data.fence) ? takenBack(state) : unclaimed(state)
    case 'ClaimExpired':
      return { ...unclaimed(state), silenced: { fence: data.fence, run: state.run } }
    case 'FixityDecided':
      return decided(state, data)
    case 'AttemptFailed':
      return { ...unclaimed(state), failures: state.failures + 1, dueAt: data.dueAt, failedAt: data.at }
    case 'CheckParked':
      return { ...endOfRun(state), parked: true, dueAt: null }
    case 'CheckRevived':
      return { ...freshRun(state), queue: 'high', dueAt: data.dueAt }
    case 'ResolutionOpened': {
      const unread = state.last?.pattern.startsWith('n') ?? false
      const { resolution, row } = data
      return { ...state, open: [...state.open, { resolution, class: data.class, row, unread }] }
    }
    case 'ResolutionClosed': {
      const { resolution, how } = data
      const open = state.open.filter((each) => each.resolution !== resolution)
      const seen = how === 'verified' ? undefined : state.failedOn
      return { ...state, open, ...(seen !== undefined && { settled: { resolution, how, seen } }) }
    }
    case 'IndexCorrected':
      return state.index ? { ...state, index: indexWord({ ...data, status: 'recorded' }, data.at) } : state
    case 'IndexEntryRemoved':
      return state.index ? { ...state, index: indexWord({ status: 'removed' }, data.at) } : state
    case 'AuditSupplemented':
      return state.audit?.word.status === 'recorded'
        ? { ...state, audit: { ...state.audit, word: supplemented(state.audit.word, data.checksums) } }
        : state
    case 'ReauditRequested':
      return state
  }
}

type DataOf<Type extends FixityEvent['type']> = Extract<FixityEvent, { type: Type }>['data']

const decided = (state: ItemState, data: DataOf<'FixityDecided'>): ItemState => {
  const { outcome, row, pattern, observedAt, dueAt } = data
  const { content } = data.evidence
  const last: LastDecision = {
    observedAt,
    row,
    outcome,
    pattern,
    ...(content.status === 'read' && { read: { checksums: content.checksums, size: content.size } }),
  }
  const next = { ...unclaimed(state), ...seenAs(data), last, dueAt, parked: false }
  switch (outcome) {
    case 'retry':
      return { ...next, failures: state.failures + 1 }
    case 'deferred':
      return { ...next, deferrals: state.deferrals + 1 }
    case 'failure':
      return { ...endOfRun(next), failedOn: seenOf(data.evidence) }
    default:
      return endOfRun(withoutFailure(next))
  }
}

/** What was seen of another record says nothing of this one. */
const withoutLooks = (state: ItemState): ItemState => {
  if (state.seenAsFile === undefined) return withoutFailure(state)
  const { seenAsFile: _, ...others } = state
  return withoutFailure(others)
}

const seenAs = ({ evidence: { storage } }: DataOf<'FixityDecided'>): Pick<ItemState, 'seenAsFile'> =>
  storage.status === 'present' && storage.isLink === false ? { seenAsFile: true } : {}

/** Whether an earlier look saw a file where a symbolic link is now. */
export const isLinkNow = ({ seenAsFile }: ItemState, { storage }: Pick<Witnesses, 'storage'>): boolean =>
  seenAsFile === true && storage.status === 'present' && storage.isLink === true

const withoutFailure = (state: ItemState): ItemState => {
  if (state.failedOn === undefined) return state
  const { failedOn: _, ...others } = state
  return others
}

/** Whether what is seen now is what a finding was last closed on. */
export const isSettledOn = ({ settled }: ItemState, witnesses: Witnesses): boolean =>
  settled !== undefined && settled.seen === seenOf(witnesses)

/** Whether a person ended what is seen now: it is known, as long as it stays so. */
export const isEnded = (state: ItemState, witnesses: Witnesses): boolean =>
  state.settled !== undefined && isEnding(state.settled.how) && isSettledOn(state, witnesses)

const leaseOf = ({ holder, deadline, fence, millis }: DataOf<'CheckClaimed'>): Lease => ({
  holder,
  deadline,
  fence,
  ...(millis !== undefined && { millis }),
})

const auditWord = (data: DataOf<'ContentRecorded'>): WordHeard => {
  const { checksums, size, version, recordedFrom, at } = data
  const word: Word = { status: 'recorded', checksums, ...(size !== undefined && { size }) }
  return { word, source: recordedFrom, heardAt: at, ...(version !== undefined && { version }) }
}

const indexWord = (word: Word, heardAt: string): WordHeard => ({
  word:
    word.status === 'recorded'
      ? {
          status: 'recorded',
          checksums: word.checksums,
          ...(word.size !== undefined && { size: word.size }),
        }
      : word,
  source: 'content index',
  heardAt,
})

const supplemented = (word: Extract<Word, { status: 'recorded' }>, extra: readonly Checksum[]): Word => ({
  ...word,
  // What the storage said when it was first looked at: nobody recorded it before.
  checksums: [...word.checksums, ...asFirstReading(extra)],
})

const unclaimed = ({ lease: _, ...state }: ItemState): ItemState => state

/** Whether the holder with this fence lives, and its silence used up an attempt of the run under way. */
export const isTakenBack = ({ silenced, run, failures, lease }: ItemState, fence: number): boolean =>
  silenced?.fence === fence && lease?.fence !== fence && silenced.run === run && failures > 0

const takenBack = ({ silenced: _, ...state }: ItemState): ItemState => ({
  ...state,
  failures: state.failures - 1,
})

/** The run's number is spent once a decision or a parking bears it. */
const endOfRun = (state: ItemState): ItemState => ({
  ...unclaimed(state),
  run: state.run + 1,
  failures: 0,
  deferrals: 0,
  queue: 'low',
})

/** A run from its first attempt: attempts made before say nothing of what is to be checked now. */
const freshRun = (state: ItemState): ItemState => ({
  ...state,
  run: state.failures + state.deferrals > 0 ? state.run + 1 : state.run,
  failures: 0,
  deferrals: 0,
  parked: false,
})
