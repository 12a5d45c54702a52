import type { IndexingCommand } from '../../domain/indexing/commands.ts'
import { decider } from '../../domain/indexing/decide.ts'
import { type ArchiveFile, fileStream } from '../../domain/indexing/file.ts'
import { type filesTopic, type outcomesTopic, topics } from '../../domain/indexing/messages.ts'
import { type Place, placeOf } from '../../domain/indexing/place.ts'
import type { Policy } from '../../domain/indexing/policy.ts'
import type { MessagesOf } from '../../domain/kernel/message.ts'
import { earlier } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'
import { type RefusedLocation, routeUnless } from '../runtime/foreign-location.ts'
import type { Processor } from '../runtime/processor.ts'

type IndexingMessage = MessagesOf<typeof filesTopic | typeof outcomesTopic>

/** Messages of lists and workers become commands on their file's stream. */
export const indexingProcessor = (
  policy: Policy,
  clock: Clock,
  refusedLocation: RefusedLocation,
): Processor => ({
  name: 'fonds.indexing.files',
  topics,
  route: async (messages) =>
    messages.map((message) => {
      const { repository, name } = message.data as ArchiveFile
      const file = { repository, name }
      const command = commandFor(message as IndexingMessage, file, policy, clock.now())
      const refused = message.foreign && 'place' in command && refusedLocation(command.place?.location)
      return [routeUnless(refused, decider, fileStream(file), command)]
    }),
})

const commandFor = (
  message: IndexingMessage,
  file: ArchiveFile,
  policy: Policy,
  now: string,
): IndexingCommand => {
  const foreign = message.foreign && { foreign: true }
  const by = { file, actor: message.source, at: earlier(message.time, now) }
  switch (message.type) {
    case 'file.sighted':
      return {
        type: 'Sight',
        ...by,
        place: placeOf({ ...message.data, ...foreign }),
        kind: message.data.kind,
        embargoUntil: message.data.embargoUntil,
        policy,
      }
    case 'file.adopted':
      return {
        type: 'Adopt',
        ...by,
        place: placeIn({ ...message.data, ...foreign }),
        kind: message.data.kind,
        embargoUntil: message.data.embargoUntil,
      }
    case 'file.withdrawn':
      return { type: 'Withdraw', ...by, reason: message.data.reason }
    case 'file.processed': {
      const { fence, outcome } = message.data
      // The next due time counts from now, however long the report was under way.
      return { type: 'Report', ...by, at: now, fence, outcome, policy }
    }
  }
}

const placeIn = ({ location, ...observed }: Partial<Place>): Place | undefined =>
  location === undefined ? undefined : placeOf({ location, ...observed })
