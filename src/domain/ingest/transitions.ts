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

/** `system`: the house itself, by a reaction. `inventory`: another system that records. */
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

export const batchMoves = [
  { row: 'I1', from: 'none', to: 'pending', by: ['system'], when: 'A depositor submitted it.' },
  {
    row: 'I3',
    from: 'pending',
    to: 'held',
    by: ['worker', 'admin'],
    when: 'Its collection is on hold, or a person holds it.',
  },
  {
    row: 'I4',
    from: 'pending',
    to: 'processing',
    by: ['system'],
    when: 'Its payload was read and all of its jobs exist.',
  },
  {
    row: 'I5',
    from: 'held',
    to: 'pending',
    by: ['admin'],
    when: 'A person releases it, once the hold on its collection is gone.',
  },
  {
    row: 'I6',
    from: 'held',
    to: 'deleted',
    by: ['admin'],
    when: 'A person deletes it; the depositor is not told.',
  },
  { row: 'I7', from: 'processing', to: 'reporting', by: ['system'], when: 'Its last open job ended.' },
  {
    row: 'I9',
    from: 'reporting',
    to: 'completed',
    by: ['worker'],
    when: 'The report is saved, and no job is failed.',
  },
  {
    row: 'I10',
    from: 'reporting',
    to: 'failed',
    by: ['worker'],
    when: 'The report is saved, and a job is failed.',
  },
  {
    row: 'I11',
    from: 'failed',
    to: 'update-reporting',
    by: ['admin'],
    when: 'A person has ended the troubleshooting.',
  },
  {
    row: 'I13',
    from: 'update-reporting',
    to: 'completed',
    by: ['worker'],
    when: 'The new report is saved, and no job is failed.',
  },
  {
    row: 'I14',
    from: 'update-reporting',
    to: 'failed',
    by: ['worker'],
    when: 'The new report is saved, and a job is failed still.',
  },
  {
    row: 'I15',
    from: 'failed',
    to: 'deleted',
    by: ['admin'],
    when: 'A person gives it up, with all of its jobs.',
  },
  {
    row: 'I16',
    from: 'completed',
    to: 'deleted',
    by: ['admin', 'system'],
    when: 'It is swept, with all of its jobs.',
  },
  {
    row: 'N6',
    from: 'pending',
    to: 'failed',
    by: ['worker'],
    when: 'Its payload cannot be read, or lists no object: it has no jobs.',
  },
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
  { row: 'I18', from: 'none', to: 'pending', by: ['system'], when: 'Its batch was opened.' },
  {
    row: 'I19',
    from: 'pending',
    to: 'failed',
    by: ['worker'],
    when: 'Its payload is not what the depositor said, or cannot be read.',
  },
  {
    row: 'I20',
    from: 'pending',
    to: 'held',
    by: ['worker', 'admin'],
    when: 'Its collection is on hold, or a person holds it.',
  },
  { row: 'I21', from: 'pending', to: 'estimating', by: ['worker'], when: 'It was initialised.' },
  {
    row: 'I22',
    from: 'held',
    to: 'pending',
    by: ['admin', 'system'],
    when: 'A person releases it, or all of its collection.',
  },
  {
    row: 'I24',
    from: 'estimating',
    to: 'provisioning',
    by: ['worker'],
    when: 'Its size was estimated, or is unknown.',
  },
  { row: 'I26', from: 'provisioning', to: 'downloading', by: ['worker'], when: 'There is room for it.' },
  {
    row: 'I27',
    from: 'downloading',
    to: 'processing',
    by: ['worker'],
    when: 'Every file is there, and every digest matches.',
  },
  {
    row: 'I28',
    from: 'downloading',
    to: 'failed',
    by: ['worker'],
    when: 'A file could not be had, or is not what was said.',
  },
  {
    row: 'N3',
    from: 'processing',
    to: 'storing',
    by: ['worker'],
    when: 'It has its identifier and its storage manifest (I29).',
  },
  {
    row: 'I30',
    from: 'processing',
    to: 'failed',
    by: ['worker'],
    when: 'Minting, identifiers, digests or descriptions failed.',
  },
  { row: 'N3', from: 'storing', to: 'recording', by: ['worker'], when: 'Storage holds the version.' },
  { row: 'N4', from: 'storing', to: 'failed', by: ['worker'], when: 'Storage failed.' },
  {
    row: 'I31',
    from: 'recording',
    to: 'notify',
    by: ['worker', 'inventory'],
    when: 'The inventory answers with the version.',
  },
  { row: 'I32', from: 'recording', to: 'failed', by: ['worker', 'inventory'], when: 'The inventory failed.' },
  {
    row: 'I33',
    from: 'notify',
    to: 'completed',
    by: ['worker'],
    when: 'There is no callback, or it answered well.',
  },
  { row: 'I34', from: 'notify', to: 'failed', by: ['worker'], when: 'The callback failed.' },
  { row: 'I35', from: 'failed', to: 'downloading', by: ['admin'], when: 'It failed there and is resumed.' },
  { row: 'I36', from: 'failed', to: 'processing', by: ['admin'], when: 'It failed there and is resumed.' },
  { row: 'N4', from: 'failed', to: 'storing', by: ['admin'], when: 'It failed there and is resumed.' },
  { row: 'I37', from: 'failed', to: 'recording', by: ['admin'], when: 'It failed there and is resumed.' },
  { row: 'I38', from: 'failed', to: 'notify', by: ['admin'], when: 'It failed there and is resumed.' },
  {
    row: 'I40',
    from: 'failed',
    to: 'deleted',
    by: ['admin'],
    when: 'A person deletes it: no report will name it.',
  },
  {
    row: 'I41',
    from: 'held',
    to: 'deleted',
    by: ['admin'],
    when: 'A person deletes it: no report will name it.',
  },
  { row: 'N1', from: 'estimating', to: 'failed', by: ['worker'], when: 'The step itself broke.' },
  { row: 'N1', from: 'failed', to: 'estimating', by: ['admin'], when: 'It failed there and is resumed.' },
  { row: 'N2', from: 'provisioning', to: 'failed', by: ['worker'], when: 'The step itself broke.' },
  { row: 'N2', from: 'failed', to: 'provisioning', by: ['admin'], when: 'It failed there and is resumed.' },
  {
    row: 'N7',
    from: 'failed',
    to: 'pending',
    by: ['admin'],
    when: 'It failed there, not for good, and is resumed.',
  },
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
