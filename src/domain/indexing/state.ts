import { type Claims, extended, isTakenBack } from '../kernel/task.ts'
import { DAY, millisBetween } from '../kernel/time.ts'
import type { DataOf, IndexingEvent } from './events.ts'
import type { Kind } from './kind.ts'
import { type Place, placeOf } from './place.ts'

/** Status of a file, apart from its claim. */
export type Status = 'new' | 'indexed' | 'changed' | 'failed' | 'parked' | 'withdrawn'

/** The same name in another place. */
interface Copy {
  readonly place: Place
  /** `unknown` until both were compared. */
  readonly verdict: 'unknown' | 'same' | 'different'
  /** Time of the comparison; null if none is due. */
  readonly dueAt: string | null
}

/** State for decisions about one file; its size does not grow with the file's history. */
export interface FileState extends Claims {
  readonly known: boolean
  readonly kind: Kind
  readonly status: Status
  /** Lines of the file, perhaps of an earlier version, are in the index. */
  readonly hasLines: boolean
  /** The lines that were recorded last; undefined if others put them into the index. */
  readonly recorded?: {
    readonly digest: string
    readonly isSalvaged: boolean
    readonly at: string
    /** The earlier value of `hasLines`, restored if the index could not accept these lines. */
    readonly hadLines: boolean
  }
  /**
   * Number of times in a row that the index could not accept its lines; 1 again for a loss more than a day after the
   * lines were recorded.
   */
  readonly losses: number
  /** Place from which it is read; undefined for an adopted file that was not sighted yet. */
  readonly place?: Place
  readonly copies: readonly Copy[]
  /** Failures since the last success, reset or change. */
  readonly failures: number
  /** Time at which it is due to be indexed; null if it is not. */
  readonly dueAt: string | null
  /** It was missing when it was to be read: it waits for its next sighting. */
  readonly isMissing: boolean
  readonly parkedBy?: 'failures' | 'person'
  /** Its next read is a salvage. */
  readonly salvages?: true
  /** The location that the holder of the lease compares with; undefined if it indexes the file. */
  readonly comparing?: string
  /** The last day (UTC) of its embargo, which may be over. */
  readonly embargoUntil?: string
}

export const initial: FileState = {
  known: false,
  kind: 'unknown',
  status: 'new',
  hasLines: false,
  losses: 0,
  copies: [],
  failures: 0,
  dueAt: null,
  isMissing: false,
  lastFence: 0,
}

export const evolve = (state: FileState, event: IndexingEvent): FileState => ({
  ...after(state, event),
  known: true,
})

const after = (state: FileState, { type, data }: IndexingEvent): FileState => {
  switch (type) {
    case 'FileDiscovered':
      return { ...state, kind: data.kind, place: placeOf(data), dueAt: data.dueAt }
    case 'FileAdopted':
      return {
        ...fresh(withoutRecord(unclaimed(state)), null),
        kind: data.kind,
        status: 'indexed',
        hasLines: true,
        ...(data.place && { place: data.place }),
      }
    case 'KindGiven':
      return { ...fresh(state, data.dueAt), kind: data.kind }
    case 'ContentChanged':
      return { ...(isHeldBack(state) ? state : fresh(state, data.dueAt)), place: placeOf(data) }
    case 'FileSeenAgain':
      return { ...state, isMissing: false, dueAt: data.dueAt }
    case 'FileMoved':
      return moved(state, data)
    case 'CopySighted':
      return { ...withoutComparison(state), copies: [...without(state, data), copy(data, 'unknown')] }
    case 'CopyConfirmed':
      return { ...unclaimed(state), copies: [...without(state, data), copy(data, 'same')] }
    case 'ConflictFound':
      return { ...unclaimed(state), copies: [...without(state, data), copy(data, 'different')] }
    case 'CopyGone':
      return { ...unclaimed(state), copies: without(state, data) }
    case 'FileClaimed': {
      const { holder, deadline, fence, millis, copy } = data
      const lease = { holder, deadline, fence, millis }
      return { ...state, lease, lastFence: fence, ...(copy !== undefined && { comparing: copy }) }
    }
    case 'ClaimExtended':
      return extended(state, data.deadline)
    case 'ClaimReleased':
      if (isTakenBack(state, data.fence)) return takenBack(state)
      return unclaimed(data.until === undefined ? state : deferred(state, data.until))
    case 'ClaimExpired':
      // An expired comparison is reported to a person.
      return { ...unclaimed(state), ...(state.comparing === undefined && { silenced: data.fence }) }
    case 'FileIndexed':
      return {
        ...withoutSilence(asRead(state, data)),
        status: 'indexed',
        hasLines: true,
        recorded: {
          digest: data.digest,
          isSalvaged: data.loss !== undefined,
          at: data.at,
          hadLines: state.hasLines,
        },
        failures: 0,
        dueAt: null,
      }
    case 'IndexingFailed':
      return failed(state, data)
    case 'IndexingDeferred':
      return { ...asRead(state, data), dueAt: data.dueAt }
    case 'FileParked':
      return { ...withoutSilence(unclaimed(state)), status: 'parked', parkedBy: data.by, dueAt: null }
    case 'FileRescued':
      // The file is unchanged: a salvage that was requested, or is the only way to read it, stays requested.
      return { ...fresh(state, data.dueAt), ...(state.salvages && { salvages: true }) }
    case 'FileReset':
      return { ...fresh(unclaimed(state), data.dueAt), kind: data.kind ?? state.kind, copies: [] }
    case 'FileSalvageRequested':
      return { ...fresh(unclaimed(state), data.dueAt), salvages: true }
    case 'FileWithdrawn':
      return { ...fresh(unclaimed(state), null), status: 'withdrawn', hasLines: false, copies: [] }
    case 'EmbargoSet':
      return { ...state, embargoUntil: data.until }
    case 'EmbargoLifted':
      return withoutEmbargo(state)
  }
}

/** A file at its first attempt: earlier attempts say nothing about what is to be read now. */
const fresh = ({ salvages: _, silenced: __, ...state }: FileState, dueAt: string | null): FileState => ({
  ...state,
  status: state.hasLines ? 'changed' : 'new',
  failures: 0,
  losses: 0,
  isMissing: false,
  dueAt,
})

const moved = (before: FileState, data: DataOf<'FileMoved'>): FileState => {
  const { salvages, ...state } = withoutComparison(before)
  const isHere = data.location === state.place?.location
  return {
    ...state,
    ...(isHere && salvages && { salvages }),
    status: state.status === 'indexed' && data.dueAt !== null ? 'changed' : state.status,
    place: placeOf(data),
    copies: without(state, data),
    isMissing: false,
    dueAt: data.dueAt,
  }
}

/** Makes the claimed job due again at that time. */
const deferred = (state: FileState, dueAt: string): FileState => {
  const { comparing, copies } = state
  if (comparing === undefined) return { ...state, dueAt }
  return {
    ...state,
    copies: copies.map((one) => (one.place.location === comparing ? { ...one, dueAt } : one)),
  }
}

/** The file as a job found it. */
const asRead = (
  { salvages: _, ...state }: FileState,
  { size, modifiedAt }: DataOf<'FileIndexed' | 'IndexingDeferred'>,
): FileState => ({
  ...unclaimed(state),
  ...(state.place && { place: placeOf({ ...state.place, size, modifiedAt }) }),
  isMissing: false,
})

const failed = (state: FileState, { failures, code, dueAt, at }: DataOf<'IndexingFailed'>): FileState => ({
  ...unclaimed(state),
  status: 'failed',
  failures,
  // Counted here: events from before they were counted have 1 each time.
  ...(code === 'lost' && { losses: lossesAt(state, at), hasLines: state.recorded?.hadLines ?? false }),
  isMissing: code === 'not-found',
  dueAt,
  // A salvaged file can be read in no other way.
  ...(code === 'lost' && state.recorded?.isSalvaged && { salvages: true }),
})

/**
 * Returns the number of losses including one found out at `at`: a disk that damages each run must not cause endless
 * reads.
 */
export const lossesAt = ({ losses, recorded }: FileState, at: string): number =>
  recorded && millisBetween(recorded.at, at) <= DAY ? losses + 1 : 1

const copy = (data: Place & { readonly dueAt?: string }, verdict: Copy['verdict']): Copy => ({
  place: placeOf(data),
  verdict,
  dueAt: data.dueAt ?? null,
})

const without = ({ copies }: FileState, { location }: Place): readonly Copy[] =>
  copies.filter(({ place }) => place.location !== location)

const withoutRecord = ({ recorded: _, ...state }: FileState): FileState => state

const withoutEmbargo = ({ embargoUntil: _, ...state }: FileState): FileState => state

const withoutSilence = ({ silenced: _, ...state }: FileState): FileState => state

/** Keeps its due time. */
const takenBack = (state: FileState): FileState => {
  const failures = state.failures - 1
  return {
    ...withoutSilence(state),
    failures,
    ...(failures === 0 && { status: state.hasLines ? 'changed' : 'new' }),
  }
}

const unclaimed = ({ lease: _, comparing: __, ...state }: FileState): FileState => state

/** A place under comparison has changed: another comparison is needed. */
const withoutComparison = (state: FileState): FileState =>
  state.comparing === undefined ? state : unclaimed(state)

/** Returns the place that the holder of the lease compares with. */
export const copyOf = ({ copies, comparing }: FileState): Place | undefined =>
  copies.find(({ place }) => place.location === comparing)?.place

/** True if a person parked it: no sighting puts it back into the queue. */
export const isHeldBack = ({ status, parkedBy }: FileState): boolean =>
  status === 'parked' && parkedBy === 'person'
