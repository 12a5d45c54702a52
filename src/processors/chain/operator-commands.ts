import * as t from 'io-ts'
import { archiveDecider } from '../../domain/chain/archive/decide.ts'
import { archiveStream } from '../../domain/chain/archive/events.ts'
import { RuleName } from '../../domain/chain/rules.ts'
import { operatorCommand } from '../runtime/operator-command.ts'
import { routeTo } from '../runtime/route.ts'

export const adoptCommand = operatorCommand({
  name: 'chain.adopt',
  permission: 'administer',
  description:
    'Chains what was stored before the chain was switched on, too, and what could not be handed over. It goes on where it was when a process ends; `fonds chain adoption` says how far it is.',
  codec: t.partial({ rule: RuleName }),
  example: { rule: 'indexing' },
  route: ({ rule = 'fixity' }, { reason, actor, at }) =>
    routeTo(archiveDecider, archiveStream, { type: 'RequestAdoption', rule, reason, actor, at }),
  short: {
    description: 'It goes on in a process with the role reactions, and where it was when that ends.',
    arguments: [],
    done: () => 'requested; `fonds chain adoption` says how far it is',
    examples: [
      [
        'adopt --actor ada --reason "the whole archive is to be checked"',
        'what was stored before, page by page',
      ],
    ],
  },
})
