import * as t from 'io-ts'
import { Text } from '../../domain/kernel/codecs.ts'
import { leaderLeases, leaderStream } from '../../domain/kernel/leader-lease.ts'
import { operatorCommand } from './operator-command.ts'
import { routeTo } from './route.ts'

/** A person's command that ends a leader lease. */
export const endLease = operatorCommand({
  name: 'system.end-lease',
  formerName: 'house.end-lease',
  description:
    'Ends the lease on exclusive work (reactions, relay), whoever has it: another process takes over at once. For a holder that is gone or hangs.',
  codec: t.type({ lease: Text }),
  example: { lease: 'reactions' },
  route: ({ lease }, by) => routeTo(leaderLeases, leaderStream(lease), { type: 'End', ...by }),
})
