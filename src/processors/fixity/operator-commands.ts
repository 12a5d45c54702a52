import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { type BatchCommand, batchDecider } from '../../domain/fixity/batch/decide.ts'
import { batchStream } from '../../domain/fixity/batch/events.ts'
import type { FixityCommand, LastIntact } from '../../domain/fixity/commands.ts'
import { comparisonDecider } from '../../domain/fixity/comparison/decide.ts'
import { comparisonStream } from '../../domain/fixity/comparison/events.ts'
import { decider } from '../../domain/fixity/decide.ts'
import { defined } from '../../domain/fixity/defined.ts'
import { isAtRest } from '../../domain/fixity/intact.ts'
import { type Item, itemStream, Path, StoreName } from '../../domain/fixity/item.ts'
import { Misreading } from '../../domain/fixity/misreading.ts'
import type { StoreCommand } from '../../domain/fixity/store/commands.ts'
import { storeDecider } from '../../domain/fixity/store/decide.ts'
import {
  defaultPolicy,
  type Policy,
  type PolicyChange,
  policyChange,
  StoreKind,
  storeStream,
} from '../../domain/fixity/store/events.ts'
import { items, stores, wasAsRecorded } from '../../domain/fixity/views.ts'
import { annotate } from '../../domain/kernel/annotation.ts'
import { Text } from '../../domain/kernel/codecs.ts'
import { is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { operatorCommand, type RejectionByViews } from '../runtime/operator-command.ts'
import { routeTo } from '../runtime/route.ts'
import { resolveFinding } from './resolve-finding.ts'

const store = { store: StoreName }
const item = { store: StoreName, path: Path }
/** All items below a prefix, or one item: not both. */
const Revival = annotate(
  t.refinement(
    t.intersection([t.type(store), t.partial({ path: Path, prefix: t.string })]),
    ({ path, prefix }) => path === undefined || prefix === undefined,
    'path of one item or prefix of many, not both',
  ),
  { not: { required: ['path', 'prefix'] } },
)
const exampleItem = { store: 'main', path: 'letters/1912/03.tif' }

/** Index `fixity-items (store, queue, available)`: parked checks wait in the low queue and are never available. */
const nothingParked = (
  views: Parameters<RejectionByViews>[0],
  store: string,
  prefix: string,
): ReturnType<RejectionByViews> => {
  const isKnown = rowsIfFolded(views, stores, { where: [is('store', store)] }).length > 0
  const parked = rowsIfFolded(views, items, {
    where: [
      is('store', store),
      is('queue', 'low'),
      is('available', null),
      is('parked', 1),
      { column: 'path', is: 'prefix', value: prefix },
    ],
    limit: 1,
  })
  // The store's own stream rejects an unknown store.
  return isKnown && parked.length === 0
    ? { code: 'not-parked', message: `nothing is parked in store ${store}${prefix && ` below ${prefix}`}` }
    : undefined
}

const TakenIn = annotate(
  t.refinement(
    t.intersection([t.type(store), t.partial({ prefix: t.string, path: Path })]),
    ({ prefix, path }) => prefix === undefined || path === undefined,
    'prefix of many or path of one file, not both',
  ),
  { not: { required: ['path', 'prefix'] } },
)

/** Rejects what is no store that Fonds reads. */
const noFolder = (views: Parameters<RejectionByViews>[0], store: string): ReturnType<RejectionByViews> => {
  const [found] = rowsIfFolded(views, stores, { where: [is('store', store)] })
  if (!found) return { code: 'unknown-store', message: `no store ${store} is registered; register it first` }
  return found.kind === 'external'
    ? {
        code: 'external-store',
        message: `store ${store} is external: others list it, and record its content`,
      }
    : undefined
}

const onItem = (command: FixityCommand) => routeTo(decider, itemStream(command.item), command)
const onBatch = (batch: string, command: BatchCommand) => routeTo(batchDecider, batchStream(batch), command)
const onStore = (command: StoreCommand) => routeTo(storeDecider, storeStream(command.store), command)
const policyOf = (input: PolicyChange): Policy => ({
  intervalDays: input.intervalDays ?? defaultPolicy.intervalDays,
  lagSeconds: input.lagSeconds ?? defaultPolicy.lagSeconds,
  replica: input.replica ?? defaultPolicy.replica,
  ...defined({
    awaySeconds: input.awaySeconds,
    bytesPerDay: input.bytesPerDay === 'unlimited' ? undefined : input.bytesPerDay,
    newFiles: input.newFiles === 'off' ? undefined : input.newFiles,
    compareHours: input.compareHours,
  }),
})
const only = ({ store, path }: Item): Item => ({ store, path })

interface Accepted extends Item {
  readonly lastIntact?: LastIntact | undefined
}

/** The last check of an item at rest that was found as recorded: the bytes were then the record's. Else undefined. */
const lastIntact = ({ store, path }: Item, views: Pick<ViewStore, 'query'>): LastIntact | undefined => {
  const [found] = rowsIfFolded(views, items, { where: [is('store', store), is('path', path)] })
  if (!found?.lastChecked || found.outcome !== 'success' || found.size === null || !isAtRest(found))
    return undefined
  const checksums = found.checksums.map(({ algorithm, value }) => ({ algorithm, value }))
  return { observedAt: found.lastChecked, checksums, size: found.size }
}

interface Withdrawn extends Item {
  readonly misread: Misreading
  readonly file?: string
  readonly wasSeen?: boolean
}

/** Checks in batches are in no item's own stream. */
const wasFound = ({ store, path }: Item, views: Pick<ViewStore, 'query'>): boolean => {
  const [found] = rowsIfFolded(views, items, { where: [is('store', store), is('path', path)] })
  return found !== undefined && wasAsRecorded(found)
}

/** Operators' commands of fixity. Each needs an actor and a reason. */
export const fixityCommands = [
  operatorCommand({
    name: 'fixity.register-store',
    permission: 'administer',
    description:
      'Makes a store known: a folder or a place in a bucket (s3://bucket/prefix) that Fonds reads, or an external one that others observe.',
    codec: t.intersection([t.type(store), t.partial({ kind: StoreKind, root: Text, ...policyChange })]),
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
    permission: 'administer',
    description:
      'Changes how a store is checked: interval, lag, whether there is a second copy, how long it may be away, how many bytes of it may be read in a day of UTC, and what becomes of new files. What is not named stays.',
    codec: t.intersection([t.type(store), t.partial(policyChange)]),
    example: { store: 'main', intervalDays: 60, lagSeconds: 300, replica: true },
    route: ({ store, ...change }, by) =>
      onStore({ type: 'ChangePolicy', store, policy: defined(change), ...by }),
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
    name: 'fixity.release-batch',
    description:
      'Ends the claim on a batch of checks, whoever holds it: another worker may have its items at once, and what its holder still reports is refused.',
    codec: t.type({ batch: Text }),
    example: { batch: '019ab3e0-7c1d-7b55-a000-3f2f6a1b9c4d' },
    route: ({ batch }, by) => onBatch(batch, { type: 'EndClaim', ...by }),
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
    name: 'fixity.declare-gone',
    description:
      'Declares that the content of a store that is away is gone, and not to be waited for: what is absent is then a finding.',
    codec: t.type(store),
    example: { store: 'main' },
    route: (input, by) => onStore({ type: 'DeclareGone', store: input.store, ...by }),
  }),
  operatorCommand({
    name: 'fixity.resolve',
    description:
      'Settles an open finding; the item is then checked again, unless it is lost. The path is enough where one finding about it is open.',
    codec: t.intersection([
      t.type({
        path: Path,
        how: t.keyof({ repaired: null, accepted: null, lost: null, 'false-alarm': null }, 'settlement'),
      }),
      t.partial({ ...store, resolution: Text }),
    ]),
    example: { ...exampleItem, how: 'repaired' } as const,
    resolve: resolveFinding,
    route: ({ store = '', path, resolution = '', how }, by) =>
      onItem({ type: 'CloseResolution', item: { store, path }, resolution, how, ...by }),
  }),
  operatorCommand({
    name: 'fixity.take-in',
    description:
      'Has the new files of a store recorded, those below a prefix, or the file of a path: it is listed again, and files that no manifest names are read. `fonds fixity differences` names them.',
    codec: TakenIn,
    example: { store: 'main', prefix: 'letters/' },
    route: ({ store, prefix = '', path }, by) =>
      routeTo(comparisonDecider, comparisonStream(store), {
        ...({ type: 'TakeIn', store, prefix: path ?? prefix, isFile: path !== undefined } as const),
        ...by,
      }),
    rejection:
      ({ store }) =>
      (views) =>
        noFolder(views, store),
  }),
  operatorCommand({
    name: 'fixity.accept',
    description: 'Declares what was last read to be right: it becomes the audit log’s word.',
    codec: t.type(item),
    example: exampleItem,
    resolve: (input) => (views) => E.right({ ...input, lastIntact: lastIntact(input, views) }),
    route: (input: Accepted, by) =>
      onItem({ type: 'AcceptContent', item: only(input), lastIntact: input.lastIntact, ...by }),
  }),
  operatorCommand({
    name: 'fixity.withdraw-misread',
    description:
      'Takes back an item that was never there: an earlier version misread its name. `fonds fixity misread` lists such items; one that a check has seen is refused.',
    codec: t.intersection([t.type({ ...item, misread: Misreading }), t.partial({ file: Path })]),
    example: {
      store: 'main',
      path: 'letters\\03.tif',
      misread: 'backslash-name',
      file: 'letters/03.tif',
    } as const,
    resolve: (input) => (views) => E.right({ ...input, wasSeen: wasFound(input, views) }),
    route: (input: Withdrawn, by) =>
      onItem({
        type: 'WithdrawMisread',
        item: only(input),
        misread: input.misread,
        file: input.file,
        wasSeen: input.wasSeen === true,
        ...by,
      }),
  }),
  operatorCommand({
    name: 'fixity.revive',
    description: 'Puts a parked check back to work: that of one item, or all in a store, or below a prefix.',
    codec: Revival,
    example: exampleItem,
    route: (input, by) =>
      input.path === undefined
        ? onStore({ type: 'RequestRevival', store: input.store, prefix: input.prefix ?? '', ...by })
        : onItem({ type: 'ReviveCheck', item: { store: input.store, path: input.path }, ...by }),
    rejection: ({ store, path, prefix = '' }) =>
      path === undefined ? (views) => nothingParked(views, store, prefix) : undefined,
  }),
]
