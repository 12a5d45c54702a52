import * as t from 'io-ts'
import type { FixityCommand } from '../../domain/fixity/commands.ts'
import { decider } from '../../domain/fixity/decide.ts'
import { defined } from '../../domain/fixity/defined.ts'
import { type Item, itemStream, Path, StoreName } from '../../domain/fixity/item.ts'
import { type StoreCommand, storeDecider } from '../../domain/fixity/store/decide.ts'
import { defaultPolicy, Policy, StoreKind, storeStream } from '../../domain/fixity/store/events.ts'
import { Text } from '../../domain/kernel/codecs.ts'
import { operatorCommand } from '../runtime/operator-command.ts'
import { routeTo } from '../runtime/route.ts'

const store = { store: StoreName }
const item = { store: StoreName, path: Path }
const rules = Policy.props
const exampleItem = { store: 'main', path: 'letters/1912/03.tif' }

const onItem = (command: FixityCommand) => routeTo(decider, itemStream(command.item), command)
const onStore = (command: StoreCommand) => routeTo(storeDecider, storeStream(command.store), command)
const policyOf = (input: Partial<Policy>): Policy => ({
  intervalDays: input.intervalDays ?? defaultPolicy.intervalDays,
  lagSeconds: input.lagSeconds ?? defaultPolicy.lagSeconds,
  replica: input.replica ?? defaultPolicy.replica,
})
const only = ({ store, path }: Item): Item => ({ store, path })

/** Operators' commands of fixity. Each needs an actor and a reason. */
export const fixityCommands = [
  operatorCommand({
    name: 'fixity.register-store',
    description: 'Makes a store known: a folder that Fonds reads, or an external one that others observe.',
    codec: t.intersection([t.type(store), t.partial({ kind: StoreKind, root: Text, ...rules })]),
    example: { store: 'main', kind: 'folder', root: '/srv/archive' } as const,
    route: (input, { actor, at }) =>
      onStore({
        type: 'RegisterStore',
        store: input.store,
        kind: input.kind ?? 'folder',
        root: input.root,
        policy: policyOf(input),
        actor,
        at,
      }),
  }),
  operatorCommand({
    name: 'fixity.change-policy',
    description:
      'Changes how a store is checked: interval, lag, whether there is a second copy. What is not named stays.',
    codec: t.intersection([t.type(store), t.partial(rules)]),
    example: { store: 'main', intervalDays: 60, lagSeconds: 300, replica: true },
    route: ({ store, intervalDays, lagSeconds, replica }, by) =>
      onStore({
        type: 'ChangePolicy',
        store,
        policy: defined({ intervalDays, lagSeconds, replica }),
        ...by,
      }),
  }),
  operatorCommand({
    name: 'fixity.check',
    description: 'Wants one item checked now, ahead of its turn.',
    codec: t.type(item),
    example: exampleItem,
    route: (input, by) => onItem({ type: 'RequestCheck', item: only(input), queue: 'high', ...by }),
  }),
  operatorCommand({
    name: 'fixity.release',
    description:
      'Ends the claim on a check, whoever holds it: another worker may have it at once, and what its holder still reports is refused.',
    codec: t.type(item),
    example: exampleItem,
    route: (input, by) => onItem({ type: 'EndClaim', item: only(input), ...by }),
  }),
  operatorCommand({
    name: 'fixity.check-store',
    description: 'Wants a whole store, or all below a prefix, checked now.',
    codec: t.intersection([t.type(store), t.partial({ prefix: t.string })]),
    example: { store: 'main', prefix: 'letters/' },
    route: (input, by) =>
      onStore({
        type: 'RequestStoreCheck',
        store: input.store,
        prefix: input.prefix ?? '',
        queue: 'high',
        ...by,
      }),
  }),
  operatorCommand({
    name: 'fixity.resolve',
    description: 'Settles an open finding; the item is then checked again, unless it is lost.',
    codec: t.type({
      ...item,
      resolution: Text,
      how: t.keyof({ repaired: null, accepted: null, lost: null, 'false-alarm': null }, 'settlement'),
    }),
    example: { ...exampleItem, resolution: 'main/letters/1912/03.tif#2', how: 'repaired' } as const,
    route: (input, by) =>
      onItem({
        type: 'CloseResolution',
        item: only(input),
        resolution: input.resolution,
        how: input.how,
        ...by,
      }),
  }),
  operatorCommand({
    name: 'fixity.accept',
    description: 'Declares what was last read to be right: it becomes the audit log’s word.',
    codec: t.type(item),
    example: exampleItem,
    route: (input, by) => onItem({ type: 'AcceptContent', item: only(input), ...by }),
  }),
  operatorCommand({
    name: 'fixity.revive',
    description: 'Puts a parked check back to work.',
    codec: t.type(item),
    example: exampleItem,
    route: (input, by) => onItem({ type: 'ReviveCheck', item: only(input), ...by }),
  }),
]
