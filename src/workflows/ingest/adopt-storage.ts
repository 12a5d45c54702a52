import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { v4 as uuid } from 'uuid'
import { orThrow, UnavailableError } from '../../async/unavailable.ts'
import { storageStream } from '../../domain/ingest/ids.ts'
import { unconfirmed } from '../../domain/ingest/rejection.ts'
import { storageDecider } from '../../domain/ingest/storage/decide.ts'
import type { Rejection } from '../../domain/kernel/rejection.ts'
import { lacking } from '../../processors/ingest/known-objects.ts'
import { routeTo } from '../../processors/runtime/route.ts'
import { viewsReachOf } from '../../processors/runtime/views-reach.ts'
import { ingest } from '../../projections/ingest/projection.ts'
import type { SystemCommand } from '../workflow.ts'
import type { WorkflowContext } from '../workflow-context.ts'
import { type IngestContext, ingestContext } from './context.ts'
import type { IngestConfig } from './settings.ts'

const AdoptStorage = t.partial({ confirmed: t.boolean })

interface Named {
  readonly root: string
  readonly folder: string
  readonly host: string
}

export const adoptStorageCommand: SystemCommand = {
  name: 'ingest.adopt-storage',
  permission: 'administer',
  description:
    'Makes the storage root of this process (FONDS_INGEST_STORAGE) the archive’s: all nodes store there from now on, and ' +
    'nowhere else. A root without an id gets one. Where the root has not what the log knows to be stored, confirmed: true ' +
    'is wanted.',
  codec: AdoptStorage,
  example: { confirmed: true },
  carryOut: ({ confirmed }: t.TypeOf<typeof AdoptStorage>, system: WorkflowContext<IngestConfig>) =>
    adopt(ingestContext(system), confirmed === true),
  route: (named: Named, { actor, reason, at }) =>
    routeTo(storageDecider, storageStream, { type: 'AdoptRoot', actor, at, reason, ...named }),
}

const adopt = async (context: IngestContext, confirmed: boolean): Promise<E.Either<Rejection, Named>> => {
  const { storageRoot, eventStore } = context
  const found = await storageRoot.inspect()()
  if (E.isLeft(found)) throw new UnavailableError(found.left.reason)
  const { folder, host, isEmpty } = found.right
  if (!confirmed) {
    const viewsReach = viewsReachOf(ingest.name, context)
    await viewsReach(await orThrow(eventStore.head()), new AbortController().signal)
    const { knowsObjects, lacks } = await lacking(found.right, context)
    if (isEmpty && knowsObjects) return unconfirmed(folder, 'it is empty, and the log knows stored objects')
    if (lacks !== undefined) return unconfirmed(folder, lacks)
  }
  const named = await storageRoot.name(uuid())()
  if (E.isLeft(named)) throw new UnavailableError(named.left.reason)
  return E.right({ root: named.right, folder, host })
}
