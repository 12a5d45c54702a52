import { v7 as uuid } from 'uuid'
import { sideBySide } from '../../../async/side-by-side.ts'
import { orThrow } from '../../../async/unavailable.ts'
import { bagDecider } from '../../../domain/fixity/bags/decide.ts'
import { bagStream } from '../../../domain/fixity/bags/events.ts'
import {
  type BagStructure,
  isRemoved,
  type Judgement,
  judgeBag,
} from '../../../domain/fixity/bags/judging.ts'
import { defaultPolicy } from '../../../domain/fixity/store/events.ts'
import { bags, stores } from '../../../domain/fixity/views.ts'
import { is, row, rowsIfFolded } from '../../../domain/kernel/read-views.ts'
import type { ContentStore } from '../../../ports/content-store.ts'
import { bagContents, folderOfBag, withFirst } from '../../../projections/fixity/questions/bag-contents.ts'
import { type Surveyed, survey } from '../../../workers/fixity/survey.ts'
import type { WorkflowContext } from '../../workflow-context.ts'
import { knownFiles } from '../known-checksums.ts'
import { createBagWatch, type ListedBag } from './bag-watch.ts'

type Context = Pick<WorkflowContext, 'viewStore' | 'execute' | 'clock'>

export interface JudgedBag extends Judgement {
  readonly bag: string
}

interface Listing {
  readonly store: string
  /** All of the bags below it were listed; `''` is the whole store. */
  readonly prefix: string
  readonly listed: readonly ListedBag[]
  /** Time of the listing. */
  readonly listedAt: string
  readonly actor: string
}

const width = 8

/**
 * Records the judgement on each listed bag, and on those that were known below the prefix and are no bags any more.
 * Returns them without those that were removed on purpose.
 */
export const judgeBags = async (
  context: Context,
  { store, prefix, listed, listedAt, actor }: Listing,
): Promise<readonly JudgedBag[]> => {
  const { viewStore, clock } = context
  const now = clock.now()
  const names = new Set(listed.map(({ bag }) => bag))
  const former = knownBags(context, store, prefix)
    .filter((bag) => !names.has(bag) && isBelow(bag, prefix))
    .map(formerBag)
  const all = [...listed, ...former]
  const contents = bagContents(
    viewStore,
    store,
    '',
    all.map(({ bag }) => bag),
    now,
  )
  const intervalDays = row(viewStore, stores, is('store', store))?.intervalDays ?? defaultPolicy.intervalDays
  const run = uuid()
  const judged = await sideBySide(
    all,
    width,
    async ({ bag, structure: found }): Promise<readonly JudgedBag[]> => {
      const content = withFirst(viewStore, store, bag, contents.get(bag) ?? noContent)
      const items = Object.values(content.states).reduce((sum, count) => sum + count, 0)
      const structure: BagStructure = { ...found, items, listedAt }
      const stream = bagStream(store, bag)
      const command = {
        type: 'JudgeBag',
        store,
        bag,
        structure,
        content,
        intervalDays,
        actor,
        at: now,
      } as const
      const causationId = `bags/${run}/${bag}`
      await orThrow(
        () => context.execute(bagDecider, { stream, command, causationId, correlationId: run }),
        `the bag ${bag}`,
      )
      return isRemoved(structure, content)
        ? []
        : [{ bag, ...judgeBag(structure, content, { now, intervalDays }) }]
    },
  )
  return judged.flat().sort((one, other) => (one.bag < other.bag ? -1 : 1))
}

const noContent = { states: {}, baselinedPayload: 0, late: 0, first: null }

const formerBag = (bag: string): ListedBag => ({
  bag,
  structure: {
    isComplete: false,
    problems: [{ path: bag, reason: 'there is no bagit.txt any more' }],
    problemsLeftOut: 0,
    ...{ strays: 0, firstStray: null, unrecorded: 0, files: 0, bytes: 0 },
  },
})

/** Bags below the prefix, and those that it lies in. */
const knownBags = (
  { viewStore }: Pick<Context, 'viewStore'>,
  store: string,
  prefix: string,
): readonly string[] =>
  rowsIfFolded(viewStore, bags, { where: [is('store', store)] })
    .map(({ bag }) => bag)
    .filter((bag) => isBelow(bag, prefix) || isOver(bag, prefix))

const isBelow = (bag: string, prefix: string): boolean => prefix === '' || `${bag}/`.startsWith(prefix)
const isOver = (bag: string, prefix: string): boolean => bag === '.' || prefix.startsWith(`${bag}/`)

const batchSize = 200

/**
 * Lists the bags that are known, or whose folders a listing found, and judges them. The views have what the log had when
 * it was called.
 */
export const relistBags = async (
  context: Context,
  content: ContentStore,
  {
    store,
    prefix,
    found,
    listedAt,
    actor,
    signal,
  }: Omit<Listing, 'listed'> & {
    /** Folders with a declaration; `''` is the root. */
    readonly found: readonly string[]
    readonly signal: AbortSignal
  },
): Promise<readonly JudgedBag[]> => {
  const folders = new Set([...found, ...knownBags(context, store, prefix).map(folderOfBag)])
  if (folders.size === 0) return []
  const listed: ListedBag[] = []
  for (const folder of outermost(folders)) {
    const watch = createBagWatch(context.clock)
    let batch: Surveyed[] = []
    const flush = () => {
      const known = knownFiles(context, store, batch)
      for (const one of batch) watch.see(one, known, false)
      batch = []
    }
    for await (const one of survey(content, folder)) {
      signal.throwIfAborted()
      batch.push(one)
      if (batch.length >= batchSize) flush()
    }
    flush()
    listed.push(...watch.bags)
  }
  return judgeBags(context, { store, prefix, listed, listedAt, actor })
}

/** Folders that lie in no other of them. */
const outermost = (folders: ReadonlySet<string>): readonly string[] =>
  folders.has('')
    ? ['']
    : [...folders].filter((folder) => {
        for (let at = folder.lastIndexOf('/'); at > 0; at = folder.lastIndexOf('/', at - 1))
          if (folders.has(folder.slice(0, at))) return false
        return true
      })
