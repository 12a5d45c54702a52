import * as t from 'io-ts'
import { Ark } from '../../domain/ingest/ark.ts'
import { objectStream } from '../../domain/ingest/ids.ts'
import { objectDecider } from '../../domain/ingest/object/decide.ts'
import type { By } from '../../processors/runtime/operator-command.ts'
import { routeTo } from '../../processors/runtime/route.ts'
import type { SystemCommand } from '../workflow.ts'
import type { WorkflowContext } from '../workflow-context.ts'
import type { LastAdopted, SetAside } from './adopt-versions.ts'
import { ingestContext } from './context.ts'
import type { IngestConfig } from './settings.ts'

/* Commands for storage that is newer than the log. Each reads storage, or changes it, before its event is recorded. */

const Named = t.type({ object: Ark })
type Named = t.TypeOf<typeof Named>
const Confirmed = t.intersection([Named, t.partial({ confirmed: t.boolean })])
const example = { object: 'ark:/99999/fk4abc' }

export const adoptVersions: SystemCommand = {
  name: 'ingest.adopt-versions',
  permission: 'administer',
  description:
    'Takes over the versions of an object that storage holds and the log does not know, as after the log was put back from a ' +
    'backup: with their files, and what they say of themselves. Jobs may store the next version then.',
  codec: Named,
  example,
  carryOut: async (input: Named, context: WorkflowContext<IngestConfig>, by) =>
    (await import('./adopt-versions.ts')).adoptUnknown(input.object, ingestContext(context), by),
  route: (last: LastAdopted, by: By) =>
    routeTo(objectDecider, objectStream(last.ark), { type: 'AdoptVersion', ...last, ...by }),
}

export const setAsideVersions: SystemCommand = {
  name: 'ingest.set-aside-versions',
  permission: 'administer',
  description:
    'Takes the versions of an object that storage holds and the log does not know out of storage. A copy of the whole object is ' +
    'kept in a folder beside the storage root first, and the event names it.',
  codec: Confirmed,
  example: { ...example, confirmed: true },
  carryOut: async (input: t.TypeOf<typeof Confirmed>, context: WorkflowContext<IngestConfig>) =>
    (await import('./adopt-versions.ts')).setAsideUnknown(
      input.object,
      input.confirmed === true,
      ingestContext(context),
    ),
  route: ({ object: ark, ...done }: SetAside, by: By) =>
    routeTo(objectDecider, objectStream(ark), { type: 'RecordSetAside', ...done, ...by }),
}
