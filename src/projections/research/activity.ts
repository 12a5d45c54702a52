import * as t from 'io-ts'
import { PositiveInteger, Text } from '../../domain/kernel/codecs.ts'
import { clipCategory, episodeCategory } from '../../domain/research/terms.ts'
import { activityProjection, counted, type Work } from '../runtime/activity.ts'

const Failure = t.partial({ attempt: PositiveInteger, retryAt: Text })

/** F22: a failure that counts, and is not tried again, waits for a person. */
const failed = ({ attempt, retryAt }: t.TypeOf<typeof Failure>): Work | undefined =>
  attempt !== undefined && retryAt === undefined ? { wrong: 1 } : undefined

/** Pairs listened to; those that failed too often are wrong. */
export const researchActivity = activityProjection('research', 1, [
  counted(episodeCategory, 'ClipResearched', t.type({ repeat: t.boolean }), ({ repeat }) =>
    repeat ? undefined : { done: 1 },
  ),
  counted(episodeCategory, 'ResearchFailed', Failure, failed),
  counted(clipCategory, 'ClipFailed', Failure, failed),
])
