import * as t from 'io-ts'

/*
 * Every move of a batch and of a job, once: what decides, what documents and what tests go by. Whatever is not listed is
 * rejected by name of both states.
 */

export const BatchState = t.keyof(
  {
    pending: null,
    held: null,
    processing: null,
    reporting: null,
    'update-reporting': null,
    completed: null,
    failed: null,
    deleted: null,
  },
  'batch state',
)
export type BatchState = t.TypeOf<typeof BatchState>

export const JobState = t.keyof(
  {
    pending: null,
    held: null,
    estimating: null,
    provisioning: null,
    downloading: null,
    processing: null,
    storing: null,
    recording: null,
    notify: null,
    completed: null,
    failed: null,
    deleted: null,
  },
  'job state',
)
export type JobState = t.TypeOf<typeof JobState>

/** The states in which a worker has something to do, in the order in which a job goes through them. */
export const workStates = [
  'pending',
  'estimating',
  'provisioning',
  'downloading',
  'processing',
  'storing',
  'recording',
  'notify',
] as const satisfies readonly JobState[]

export const WorkState = t.keyof(
  {
    pending: null,
    estimating: null,
    provisioning: null,
    downloading: null,
    processing: null,
    storing: null,
    recording: null,
    notify: null,
  },
  'work state',
)
export type WorkState = t.TypeOf<typeof WorkState>

export const isWorkState = (state: string): state is WorkState => WorkState.is(state)

/** `system`: the system itself, by a reaction. `inventory`: another system that records. */
export type Mover = 'worker' | 'admin' | 'system' | 'inventory'

/** One row; two rows may have the same states where others may make the move, or for another reason. */
export interface Move<State extends string> {
  readonly row: string
  /** `none`: the thing begins with it. */
  readonly from: State | 'none'
  readonly to: State
  readonly by: readonly Mover[]
  /** When it is made, in a sentence. */
  readonly when: string
}

const move = <const Row extends string, const From extends string, const To extends string>(
  row: Row,
  from: From,
  to: To,
  by: readonly Mover[],
  when: string,
) => ({ row, from, to, by, when })

export const batchMoves = [
  move('I1', 'none', 'pending', ['system'], 'A depositor submitted it.'),
  move('I3', 'pending', 'held', ['worker', 'admin'], 'Its collection is on hold, or a person holds it.'),
  move('I4', 'pending', 'processing', ['system'], 'Its payload was read and all of its jobs exist.'),
  move('I5', 'held', 'pending', ['admin'], 'A person releases it, once the hold on its collection is gone.'),
  move('I6', 'held', 'deleted', ['admin'], 'A person deletes it; the depositor is not told.'),
  move('I7', 'processing', 'reporting', ['system'], 'Its last open job ended.'),
  move('I9', 'reporting', 'completed', ['worker'], 'The report is saved, and no job is failed.'),
  move('I10', 'reporting', 'failed', ['worker'], 'The report is saved, and a job is failed.'),
  move('I11', 'failed', 'update-reporting', ['admin'], 'A person has ended the troubleshooting.'),
  move('I13', 'update-reporting', 'completed', ['worker'], 'The new report is saved, and no job is failed.'),
  move(
    'I14',
    'update-reporting',
    'failed',
    ['worker'],
    'The new report is saved, and a job is failed still.',
  ),
  move('I15', 'failed', 'deleted', ['admin'], 'A person gives it up, with all of its jobs.'),
  move('I16', 'completed', 'deleted', ['admin', 'system'], 'It is swept, with all of its jobs.'),
  move(
    'N6',
    'pending',
    'failed',
    ['worker'],
    'Its payload cannot be read, or lists no object: it has no jobs.',
  ),
  move('N20', 'failed', 'pending', ['admin'], 'It has no jobs: its payload is read again.'),
  move('N21', 'reporting', 'failed', ['system'], 'Too many processes died that made its report.'),
  move('N21', 'update-reporting', 'failed', ['system'], 'Too many processes died that made its report.'),
] as const satisfies readonly Move<BatchState>[]

const forced = (from: WorkState) =>
  ({ row: 'N15', from, to: 'failed', by: ['admin'], when: 'A person forces it.' }) as const

/** Its batch goes, and it goes with it, whatever its state. */
const withBatch = (from: JobState) =>
  [
    { row: 'I15', from, to: 'deleted', by: ['system'], when: 'Its failed batch was deleted.' },
    { row: 'I16', from, to: 'deleted', by: ['system'], when: 'Its completed batch was swept.' },
  ] as const

export const jobMoves = [
  move('I18', 'none', 'pending', ['system'], 'Its batch was opened.'),
  move(
    'I19',
    'pending',
    'failed',
    ['worker'],
    'Its payload is not what the depositor said, or cannot be read.',
  ),
  move('I20', 'pending', 'held', ['worker', 'admin'], 'Its collection is on hold, or a person holds it.'),
  move('I21', 'pending', 'estimating', ['worker'], 'It was initialised.'),
  move('I22', 'held', 'pending', ['admin', 'system'], 'A person releases it, or all of its collection.'),
  move('I24', 'estimating', 'provisioning', ['worker'], 'Its size was estimated, or is unknown.'),
  move('I26', 'provisioning', 'downloading', ['worker'], 'There is room for it.'),
  move('I27', 'downloading', 'processing', ['worker'], 'Every file is there, and every digest matches.'),
  move('I28', 'downloading', 'failed', ['worker'], 'A file could not be had, or is not what was said.'),
  move('N3', 'processing', 'storing', ['worker'], 'It has its identifier and its storage manifest (I29).'),
  move('I30', 'processing', 'failed', ['worker'], 'Minting, identifiers, digests or descriptions failed.'),
  move('N3', 'storing', 'recording', ['worker'], 'Storage holds the version.'),
  move('N4', 'storing', 'failed', ['worker'], 'Storage failed.'),
  move('I31', 'recording', 'notify', ['worker', 'inventory'], 'The inventory answers with the version.'),
  move('I32', 'recording', 'failed', ['worker', 'inventory'], 'The inventory failed.'),
  move('I33', 'notify', 'completed', ['worker'], 'There is no callback, or it answered well.'),
  move('I34', 'notify', 'failed', ['worker'], 'The callback failed.'),
  move('I35', 'failed', 'downloading', ['admin'], 'It failed there and is resumed.'),
  move('I36', 'failed', 'processing', ['admin'], 'It failed there and is resumed.'),
  move('N4', 'failed', 'storing', ['admin'], 'It failed there and is resumed.'),
  move('I37', 'failed', 'recording', ['admin'], 'It failed there and is resumed.'),
  move('I38', 'failed', 'notify', ['admin'], 'It failed there and is resumed.'),
  move('I40', 'failed', 'deleted', ['admin'], 'A person deletes it: no report will name it.'),
  move('I41', 'held', 'deleted', ['admin'], 'A person deletes it: no report will name it.'),
  move('N1', 'estimating', 'failed', ['worker'], 'The step itself broke.'),
  move('N1', 'failed', 'estimating', ['admin'], 'It failed there and is resumed.'),
  move('N2', 'provisioning', 'failed', ['worker'], 'The step itself broke.'),
  move('N2', 'failed', 'provisioning', ['admin'], 'It failed there and is resumed.'),
  move('N7', 'failed', 'pending', ['admin'], 'It failed there, not for good, and is resumed.'),
  ...workStates.map(forced),
  ...([...workStates, 'held', 'completed', 'failed'] as const).flatMap(withBatch),
] as const satisfies readonly Move<JobState>[]

export type BatchRow = (typeof batchMoves)[number]['row']
export type JobRow = (typeof jobMoves)[number]['row']

/** The row by which this mover may make the move; of several the one that is asked for, else the first. */
export const rowOf = <Row extends string>(
  moves: readonly (Move<string> & { readonly row: Row })[],
  { from, to, by, row }: { from: string; to: string; by: Mover; row?: string | undefined },
): Row | undefined =>
  moves.find(
    (move) =>
      move.from === from && move.to === to && move.by.includes(by) && (row === undefined || move.row === row),
  )?.row

/** Why a move is none: names both states, and what there is instead. */
export const whyNotAllowed = (
  moves: readonly Move<string>[],
  { what, from, to, by }: { what: string; from: string; to: string; by: Mover },
): string => {
  const there = [
    ...new Set(moves.filter((move) => move.from === from && move.by.includes(by)).map((move) => move.to)),
  ]
  const ways = there.length > 0 ? `from ${from} it can go to ${list(there)}` : `nothing leads on from ${from}`
  return `${what} is ${from}: it cannot go from ${from} to ${to}; ${ways}`
}

const list = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
