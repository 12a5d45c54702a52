import * as t from 'io-ts'
import { Text } from '../../domain/kernel/codecs.ts'
import { duties, dutyStream } from '../../domain/kernel/duty.ts'
import { operatorCommand } from './operator-command.ts'
import { planFor } from './plan.ts'

/** What a person may do about who has the exclusive work. */
export const endLease = operatorCommand({
  name: 'house.end-lease',
  description:
    'Ends the lease on exclusive work (reactions, relay), whoever has it: another process takes over at once. For a holder that is gone or hangs.',
  codec: t.type({ lease: Text }),
  example: { lease: 'reactions' },
  plan: ({ lease }, by) => planFor(duties, dutyStream(lease), { type: 'End', ...by }),
})
