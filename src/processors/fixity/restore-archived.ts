import * as t from 'io-ts'
import { StoreName } from '../../domain/fixity/item.ts'
import { storeDecider } from '../../domain/fixity/store/decide.ts'
import { restoreFields, restorePath, storeStream } from '../../domain/fixity/store/events.ts'
import { operatorCommand } from '../runtime/operator-command.ts'
import { routeTo } from '../runtime/route.ts'

/** No command of `fonds do`: `fonds fixity restore` gives it once it has counted what is archived, and then asks the bucket. */
export const restoreArchived = operatorCommand({
  name: 'fixity.restore-archived',
  description: 'Records that archived objects of a bucket are restored.',
  codec: t.intersection([t.type({ store: StoreName, ...restoreFields }), t.partial(restorePath)]),
  example: {
    store: 'main',
    root: 's3://archive/main',
    prefix: 'letters/',
    days: 10,
    tier: 'Bulk',
    objects: 12,
    bytes: 4096,
  },
  route: (input, by) =>
    routeTo(storeDecider, storeStream(input.store), { type: 'RestoreArchived', ...input, ...by }),
})
