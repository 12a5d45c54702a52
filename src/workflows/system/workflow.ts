import * as t from 'io-ts'
import { Text } from '../../domain/kernel/codecs.ts'
import { type GroupsBound, groups, groupsStream } from '../../domain/kernel/groups-bound.ts'
import { leaderLeases, leaderStream } from '../../domain/kernel/leader-lease.ts'
import { keysRecord, keysStream } from '../../domain/kernel/proof/keys-events.ts'
import {
  sealedStreamsRecord,
  sealedStreamsStream,
  sealedViewRecord,
  sealedViewStream,
} from '../../domain/kernel/proof/statements.ts'
import {
  acceptedRecord,
  differencesStream,
  type TreeReplaced,
  treeRecord,
  treeStream,
} from '../../domain/kernel/proof/tree-events.ts'
import { operatorCommand } from '../../processors/runtime/operator-command.ts'
import { routeTo } from '../../processors/runtime/route.ts'
import { emptyWorkflow, type SystemCommand, type Workflow } from '../workflow.ts'
import type { Accepted } from './accept-differences.ts'
import { erasePersonal } from './erase.ts'
import { systemModel } from './model.ts'
import type { NamedKeys } from './replace-keys.ts'
import type { SealedStreams } from './seal-streams.ts'
import type { SealedView } from './seal-view.ts'

const endLease = operatorCommand({
  name: 'system.end-lease',
  permission: 'administer',
  formerName: 'house.end-lease',
  description:
    'Ends the lease on exclusive work (reactions, relay), whoever has it: another process takes over at once. For a holder that is gone or hangs.',
  codec: t.type({ lease: Text }),
  example: { lease: 'reactions' },
  route: ({ lease }, by) => routeTo(leaderLeases, leaderStream(lease), { type: 'End', ...by }),
})

const BindGroups = t.partial({ from: t.keyof({ known: null, beginning: null }) })

type Bound = Pick<GroupsBound, 'broker' | 'groups'>

const bindGroupsCommand: SystemCommand = {
  name: 'kafka.bind-groups',
  permission: 'administer',
  description:
    'Gives the consumer groups on Kafka to this log, after it was put back from a backup, or in the place of another log. Stop ' +
    'all processes that use them first. The groups go back to where the newest events of this log come from (from=known), or to ' +
    'the oldest messages kept (from=beginning, and wherever that is not known). What this log has handled has no second effect.',
  codec: BindGroups,
  example: { from: 'known' },
  carryOut: async (input: t.TypeOf<typeof BindGroups>, system) =>
    (await import('./bind-groups.ts')).bindGroups(system, input.from ?? 'known'),
  route: (bound: Bound, { actor, reason, at }) =>
    routeTo(groups, groupsStream(bound.broker), { type: 'Note', actor, at, bound: { ...bound, reason } }),
}

const replaceTree: SystemCommand = {
  name: 'proof.replace-tree',
  permission: 'administer',
  description:
    'Begins a new Merkle tree of the log in the place of the one before, whose files stay in <proof folder>/earlier: for a log ' +
    'that was put back from an older copy, or a home that lost the files or the key. Its first leaf names the tree before. ' +
    'Proofs by earlier heads still hold, but nothing shows any more that the log goes on from them.',
  codec: t.type({}),
  example: {},
  carryOut: async (_: unknown, system) => (await import('./replace-tree.ts')).treeToReplace(system),
  route: (tree: Pick<TreeReplaced, 'origin' | 'earlier'>, { actor, reason, at }) =>
    routeTo(treeRecord, treeStream, { type: 'Replace', actor, at, reason, ...tree }),
}

export const replaceKeys: SystemCommand = {
  name: 'proof.replace-keys',
  permission: 'administer',
  description:
    'Has new keys sign the heads of the Merkle tree, where one may be known to others, or for good order. The sealer takes them in use within ten ' +
    'seconds; the old ones sign beside them for thirty days, then they are removed. Heads that were signed before still hold. Give the policy of ' +
    '`fonds proof key --policy` to whoever checks proofs.',
  codec: t.type({}),
  example: {},
  carryOut: async (_: unknown, system) => (await import('./replace-keys.ts')).keysToName(system),
  route: (named: NamedKeys, { actor, reason, at }) =>
    routeTo(keysRecord, keysStream, { type: 'ReplaceKeys', actor, at, reason, ...named }),
}

const acceptDifferences: SystemCommand = {
  name: 'proof.accept-differences',
  permission: 'administer',
  description:
    'Lets rebuilt views take the place of the live ones though the log that they were folded from is not what was sealed: where ' +
    '`fonds rebuild` found differences, the rebuilt views wait in this home. The log stays as it is, and so does the tree. Other ' +
    'differences than those that the last rebuild named are not accepted by it.',
  codec: t.type({}),
  example: {},
  carryOut: async (_: unknown, system) => (await import('./accept-differences.ts')).differencesHeld(system),
  route: (accepted: Accepted, { actor, reason, at }) =>
    routeTo(acceptedRecord, differencesStream, { type: 'Accept', actor, at, reason, ...accepted }),
  afterwards: async (accepted: Accepted, system) =>
    (await import('./accept-differences.ts')).switchHeld(accepted, system),
}

const sealView: SystemCommand = {
  name: 'proof.seal-view',
  permission: 'administer',
  description:
    'Seals the rows of a view as they are now: an event has how many there are and the root of a Merkle tree whose leaves they are. ' +
    '`fonds proof view` then proves single rows to outsiders. The sealer does it once a day for all views.',
  codec: t.type({ view: Text }),
  example: { view: 'fixity-items' },
  carryOut: async ({ view }: { readonly view: string }, system) =>
    (await import('./seal-view.ts')).viewToSeal(view, system),
  route: (sealed: SealedView, { actor, reason, at }) =>
    routeTo(sealedViewRecord, sealedViewStream(sealed.view), {
      ...{ type: 'Seal', actor, at },
      data: { ...sealed, at, reason },
    }),
}

const sealStreams: SystemCommand = {
  name: 'proof.seal-streams',
  permission: 'administer',
  description:
    'States the newest leaf of every stream as they are sealed now: an event has how many streams there are and the root of a Merkle ' +
    'tree of their leaves. `fonds proof export --thing` is small by it, however long ago the thing was last changed. The sealer does it ' +
    'once a day where the tree grew by 4,096 leaves.',
  codec: t.type({}),
  example: {},
  carryOut: async (_: unknown, system) => (await import('./seal-streams.ts')).streamsToSeal(system),
  route: (sealed: SealedStreams, { actor, reason, at }) =>
    routeTo(sealedStreamsRecord, sealedStreamsStream, {
      ...{ type: 'Seal', actor, at },
      data: { ...sealed, at, reason },
    }),
}

export const systemWorkflow: Workflow = {
  ...emptyWorkflow,
  ...systemModel,
  attention: async (context) => (await import('./attention.ts')).systemCauses(context),
  commands: [
    endLease,
    bindGroupsCommand,
    replaceTree,
    replaceKeys,
    acceptDifferences,
    erasePersonal,
    sealView,
    sealStreams,
  ],
}
