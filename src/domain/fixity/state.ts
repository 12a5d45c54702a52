import type { Lease } from '../kernel/lease.ts'
import { type Claims, extended, isTakenBack } from '../kernel/task.ts'
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

/** A witness's last report, its source and time. */
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
  /** The finding comes from claims alone, without reading the bytes. Any other is resolved only by reading them. */
  readonly unread: boolean
  /** Mail address of the person who is to settle it. */
  readonly assignee?: string
}

/**
 * A finding that a person closed, and its observation: `accepted` and `lost` end it for that observation, the others
 * are claims.
 */
interface ClosedFinding {
  readonly resolution: string
  readonly how: Settlement
  readonly seen: string
}

interface LastDecision {
  readonly observedAt: string
  readonly row: string
  readonly outcome: Outcome
  readonly pattern: string
  /** Digests and size of the bytes, if they were read. */
  readonly read?: { readonly checksums: readonly Checksum[]; readonly size: number }
}

/** State for decisions about one item; its size does not grow with the item's history. */
export interface ItemState extends Claims {
  readonly known: boolean
  /** Undefined until the audit log reports. */
  readonly audit?: WordHeard
  /** Undefined until an outside index reports. */
  readonly index?: WordHeard
  /** Number of the current or next run. */
  readonly run: number
  /** Attempts of this run that are used up. */
  readonly failures: number
  /** Restarts in this run that used up no attempt. */
  readonly deferrals: number
  readonly queue: Queue
  /** Time of the next check; null if none is due. */
  readonly dueAt: string | null
  readonly parked: boolean
  /** One per row and class. */
  readonly open: readonly OpenResolution[]
  readonly last?: LastDecision
  /** Observation of the last finished check of this record, if that was a failure. */
  readonly failedOn?: string
  /** The finding that was closed last. */
  readonly closed?: ClosedFinding
  /** Time of the last failed attempt. */
  readonly failedAt?: string
  /** An observation since this record saw a file, and no symbolic link. */
  readonly seenAsFile?: true
  /** An observation found the content, of whatever record. */
  readonly wasSeen?: true
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
        ...withoutObservations(freshRun(state)),
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
      return extended(state, data.deadline)
    case 'ClaimReleased':
      return isTakenBack(state, data.fence) ? takenBack(state) : unclaimed(state)
    case 'ClaimExpired':
      return { ...unclaimed(state), silenced: data.fence }
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
      return { ...state, open, ...(seen !== undefined && { closed: { resolution, how, seen } }) }
    }
    case 'ResolutionAssigned':
      return { ...state, open: state.open.map((one) => assigned(one, data)) }
    case 'IndexCorrected':
      return state.index ? { ...state, index: indexWord({ ...data, status: 'recorded' }, data.at) } : state
    case 'IndexEntryRemoved':
      return state.index ? { ...state, index: indexWord({ status: 'removed' }, data.at) } : state
    case 'AuditSupplemented':
      return state.audit?.word.status === 'recorded'
        ? { ...state, audit: { ...state.audit, word: supplemented(state.audit.word, data.checksums) } }
        : state
    case 'ReauditRequested':
    case 'VersionChecked':
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
  const next = { ...unclaimed(state), ...seenAs(data), ...seen(data), last, dueAt, parked: false }
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

/** Drops observations of another record: they say nothing about this one. */
const withoutObservations = (state: ItemState): ItemState => {
  if (state.seenAsFile === undefined) return withoutFailure(state)
  const { seenAsFile: _, ...others } = state
  return withoutFailure(others)
}

const seenAs = ({ evidence: { storage } }: DataOf<'FixityDecided'>): Pick<ItemState, 'seenAsFile'> =>
  storage.status === 'present' && storage.isLink === false ? { seenAsFile: true } : {}

const seen = ({ evidence: { content, storage } }: DataOf<'FixityDecided'>): Pick<ItemState, 'wasSeen'> =>
  content.status === 'read' || storage.status === 'present' ? { wasSeen: true } : {}

/** True if an earlier observation saw a file where a symbolic link is now. */
export const isLinkNow = ({ seenAsFile }: ItemState, { storage }: Pick<Witnesses, 'storage'>): boolean =>
  seenAsFile === true && storage.status === 'present' && storage.isLink === true

const withoutFailure = (state: ItemState): ItemState => {
  if (state.failedOn === undefined) return state
  const { failedOn: _, ...others } = state
  return others
}

/** True if the current observation equals the one that a finding was last closed on. */
export const isClosedOn = ({ closed }: ItemState, witnesses: Witnesses): boolean =>
  closed !== undefined && closed.seen === seenOf(witnesses)

/** True if a person ended a finding of the current observation: it stays closed as long as that is the same. */
export const isEnded = (state: ItemState, witnesses: Witnesses): boolean =>
  state.closed !== undefined && isEnding(state.closed.how) && isClosedOn(state, witnesses)

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
  // The storage's claims at its first observation: nobody recorded them before.
  checksums: [...word.checksums, ...asFirstReading(extra)],
})

const unclaimed = ({ lease: _, ...state }: ItemState): ItemState => state

const takenBack = ({ silenced: _, ...state }: ItemState): ItemState => ({
  ...state,
  failures: state.failures - 1,
})

/** A run's number is used up once a decision or a parking has it. */
const endOfRun = ({ silenced: _, ...state }: ItemState): ItemState => ({
  ...unclaimed(state),
  run: state.run + 1,
  failures: 0,
  deferrals: 0,
  queue: 'low',
})

/** A run from its first attempt: earlier attempts say nothing about what is to be checked now. */
const freshRun = ({ silenced: _, ...state }: ItemState): ItemState => ({
  ...state,
  run: state.failures + state.deferrals > 0 ? state.run + 1 : state.run,
  failures: 0,
  deferrals: 0,
  parked: false,
})

const assigned = (
  one: OpenResolution,
  { resolution, to }: Extract<FixityEvent, { type: 'ResolutionAssigned' }>['data'],
): OpenResolution => {
  if (one.resolution !== resolution) return one
  const { assignee: _, ...others } = one
  return { ...others, ...(to !== undefined && { assignee: to }) }
}
