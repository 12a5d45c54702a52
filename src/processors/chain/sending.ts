import { orThrow } from '../../async/unavailable.ts'
import type { ArchiveMessage } from '../../domain/chain/archive-files.ts'
import type { DossierCommand } from '../../domain/chain/commands.ts'
import { dossierDecider } from '../../domain/chain/decide.ts'
import { dossierStream } from '../../domain/chain/events.ts'
import type { Sent } from '../../domain/chain/handing-over.ts'
import { chainSource } from '../../domain/chain/outputs.ts'
import { writeMessage } from '../../domain/kernel/cloud-event.ts'
import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import type { Broker } from '../../ports/broker.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Execute } from '../runtime/execute.ts'
import { nameUuids } from '../runtime/name-uuid.ts'
import type { Pager } from './pager.ts'

export type Sending = Pager<Parameters<Broker['produce']>[0][number]>

const messageIds = nameUuids('1f6f0a53-5d0c-4c1b-9f2e-6f0c3c1b7a52')

/** The id follows from the cause and from what the message is about: a repetition changes nothing. */
export const recordOf = (
  { id, metadata }: RecordedEvent,
  { topic, type, data }: Sent | ArchiveMessage,
  clock: Clock,
) =>
  writeMessage(
    {
      id:
        'path' in data
          ? messageIds(id, type, data.store, data.path)
          : messageIds(id, type, data.repository, data.name),
      source: chainSource,
      type,
      time: clock.now(),
      data,
      correlationId: metadata.correlationId,
    },
    topic,
    'binary',
  )

/**
 * Notes an input in the dossier of the object whose event it is. `step`: of several inputs by one event. A version that was
 * withdrawn meanwhile is rejected, and needs nothing more. Throws `UnavailableError`.
 */
export const note = async (
  event: RecordedEvent,
  command: DossierCommand,
  { execute }: { readonly execute: Execute },
  step?: string,
): Promise<void> => {
  const { id, metadata } = event
  await orThrow(() =>
    execute(dossierDecider, {
      stream: dossierStream(idOf(event.stream)),
      command,
      causationId: step === undefined ? id : `${id}/${step}`,
      correlationId: metadata.correlationId,
    }),
  )
}
