import * as t from 'io-ts'
import { StoreName } from '../../domain/fixity/item.ts'
import { storeDecider } from '../../domain/fixity/store/decide.ts'
import { MoveProofs, storeStream } from '../../domain/fixity/store/events.ts'
import { Text } from '../../domain/kernel/codecs.ts'
import { operatorCommand } from '../runtime/operator-command.ts'
import { routeTo } from '../runtime/route.ts'

/** No command of `fonds do`: `fonds fixity move-store` gives it once it has compared the content at both roots. */
export const moveStore = operatorCommand({
  name: 'fixity.move-store',
  permission: 'administer',
  description: 'Gives a store another root, at which its content was proven to be the same.',
  codec: t.type({ store: StoreName, from: Text, root: Text, proof: MoveProofs }),
  example: {
    store: 'main',
    from: '/srv/archive',
    root: 's3://archive/main',
    proof: { same: 12, byRecord: 0, inNeither: 0, bytes: 4096 },
  },
  route: (input, by) =>
    routeTo(storeDecider, storeStream(input.store), { type: 'MoveStore', ...input, ...by }),
})
