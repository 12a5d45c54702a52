import { workStates } from '../../../domain/ingest/transitions.ts'
import { jobs } from '../../../domain/ingest/views.ts'
import { is, isSet, narrowRows } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { neverFitting } from './room-rules.ts'
import type { WhyAsking } from './why.ts'
import { isTooLargeToStore } from './why-room.ts'
import { runningJobs } from './why-turn.ts'
import { workRoomOf } from './work-room.ts'

/** Numbers of jobs that are worked on, or that do not move, of all batches together. */
export interface OpenWork {
  readonly running: readonly number[]
  /** The first of each state, a few hundred at most. */
  readonly putOff: readonly number[]
  /** Jobs that can never fit where they are to go. */
  readonly tooLarge: readonly number[]
}

const maxOfState = 200

export const openWork = async (
  views: Views,
  { now, asOf, of: { ingest: area } }: WhyAsking,
): Promise<OpenWork> => {
  const room = asOf === undefined ? await workRoomOf(area) : undefined
  const storage = asOf === undefined ? await area.storageVolume() : undefined
  const putOff = workStates.flatMap((state) =>
    narrowRows(views, jobs, ['job', 'state', 'putOffFor', 'spaceNeeded'], {
      where: [
        is('state', state),
        { column: 'available', is: '>', value: '' },
        is('holder', null),
        isSet('putOffFor'),
      ],
      limit: maxOfState,
    }),
  )
  const tooLarge = [
    ...(room ? neverFitting(views, room, maxOfState).first : []),
    ...putOff.filter((row) => storage !== undefined && isTooLargeToStore(row, storage)),
  ]
  const numbers = (of: readonly { readonly job: number | null }[]) => of.map(({ job }) => job!)
  return { running: runningJobs(views, now), putOff: numbers(putOff), tooLarge: numbers(tooLarge) }
}

/** Counts the jobs of a batch that can never go on by themselves: there is not so much room anywhere. */
export const countStuck = async (
  views: Views,
  batch: string,
  { of: { ingest: area } }: Pick<WhyAsking, 'of'>,
): Promise<number> => {
  const [room, storage] = [await workRoomOf(area), await area.storageVolume()]
  const stored = storage
    ? narrowRows(views, jobs, ['state', 'putOffFor', 'spaceNeeded'], {
        where: [
          is('batch', batch),
          is('state', 'storing'),
          is('holder', null),
          { column: 'spaceNeeded', is: '>', value: storage.total },
        ],
      }).filter((row) => isTooLargeToStore(row, storage))
    : []
  return (room ? neverFitting(views, room, 1, batch).count : 0) + stored.length
}
