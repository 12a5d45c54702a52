import { isSystemError } from '@fonds/toolbox'
import * as E from 'fp-ts/lib/Either.js'
import { errorMessage } from '../../async/errors.ts'
import { sideBySide } from '../../async/side-by-side.ts'
import { itsRoot } from '../../domain/fixity/store/root.ts'
import { items } from '../../domain/fixity/views.ts'
import { plural } from '../../domain/kernel/amounts.ts'
import { type ConditionOn, is, narrowRows } from '../../domain/kernel/read-views.ts'
import type { Views } from '../../domain/kernel/view.ts'
import type { ContentFailure, ContentStore } from '../../ports/content-store.ts'

export interface FindTools {
  readonly viewStore: Pick<Views, 'query'>
  readonly openContent: (root: string) => ContentStore
}

/**
 * Outcome of a lookup of a store. Content, and not the folder itself, identifies the store: a restore changes the
 * folder.
 */
export type StoreFound =
  | {
      readonly isThere: true
      readonly content: ContentStore
      /** Path of a recorded item that was found; absent if no item is recorded. */
      readonly witness?: string
    }
  | {
      readonly isThere: false
      /** Why it counts as not found. */
      readonly why: string
      /** Its folder could not be read, mostly for want of permission: its content is not known. */
      readonly isUnreadable: boolean
      /** Undefined if the folder itself cannot be used. */
      readonly content?: ContentStore
      /** The folder itself does not exist, so that nothing in it does. */
      readonly hasNoFolder: boolean
      readonly isEmpty: boolean
    }

/** Looks for a store's recorded items below its root: first for `witness`, which was found last. */
export const findStore = async (
  { viewStore, openContent }: FindTools,
  store: string,
  root: string,
  witness?: string,
): Promise<StoreFound> => {
  let content: ContentStore
  try {
    content = openContent(root)
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined
    const hasNoFolder = isSystemError(cause) && (cause.code === 'ENOENT' || cause.code === 'ENOTDIR')
    const isUnreadable = isSystemError(cause) && !hasNoFolder
    return { isThere: false, why: errorMessage(error), isUnreadable, hasNoFolder, isEmpty: hasNoFolder }
  }
  /** Why the first path that may exist could not be read. */
  let unreadable: string | undefined
  const isFound = async (path: string) => {
    const entry = await content.stat(path)()
    if (E.isLeft(entry) && isUnreadable(entry.left)) unreadable ??= entry.left.reason
    return E.isRight(entry)
  }
  if (witness !== undefined && (await isFound(witness))) return { isThere: true, content, witness }
  const paths = someRecorded(viewStore, store)
  if (paths.length === 0) return { isThere: true, content }
  // Mostly the first is found: a bucket then answers one request.
  for (const some of [paths.slice(0, 1), ...inGroups(paths.slice(1))]) {
    const found: string[] = []
    await sideBySide(some, width, async (path) => {
      if (await isFound(path)) found.push(path)
    })
    if (found[0] !== undefined) return { isThere: true, content, witness: found[0] }
  }
  if (unreadable !== undefined)
    return {
      isThere: false,
      why: `${root} cannot be listed: ${unreadable}`,
      content,
      isUnreadable: true,
      hasNoFolder: false,
      isEmpty: false,
    }
  const isEmpty = await hasNothing(content)
  const why = isEmpty
    ? `${itsRoot(root)} is empty`
    : `${root} holds something else: ${notThere(paths.length)}`
  return { isThere: false, why, content, isUnreadable: false, hasNoFolder: false, isEmpty }
}

const inGroups = (paths: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(paths.length / width) }, (_, i) => paths.slice(i * width, (i + 1) * width))

const isUnreadable = (failure: ContentFailure): failure is Extract<ContentFailure, { reason: string }> =>
  failure.kind === 'Unreadable' || failure.kind === 'Machine'

const notThere = (searched: number): string =>
  searched === 1
    ? 'the one item that is recorded is not there'
    : `of ${plural(searched, 'recorded item')} that were looked for, none is there`

const width = 32

/** Limit of each of these orders. */
const pageSize = 500

/**
 * Returns up to 2,000 items: the first and the last by path, and those checked most recently and longest ago. Leaves
 * out items that a person declared lost.
 */
const someRecorded = (views: Pick<Views, 'query'>, store: string): readonly string[] => {
  const where: readonly ConditionOn<typeof items>[] = [is('store', store), is('removed', 0)]
  const scheduled = [...where, is('queue', 'low'), { column: 'available', is: '>=', value: '' } as const]
  const orders = [
    { where, orderBy: [{ column: 'path' }] },
    { where, orderBy: [{ column: 'path', descending: true }] },
    { where: scheduled, orderBy: [{ column: 'available', descending: true }] },
    { where: scheduled, orderBy: [{ column: 'available' }] },
  ] as const
  const columns = ['path', 'recordedAt', 'state'] as const
  const found = orders.flatMap((order) => narrowRows(views, items, columns, { ...order, limit: pageSize }))
  return [
    ...new Set(
      found
        .filter(({ recordedAt, state }) => recordedAt !== null && state !== 'lost')
        .map(({ path }) => path),
    ),
  ]
}

const hasNothing = async (content: ContentStore): Promise<boolean> => {
  for await (const _ of content.list()) return false
  return true
}
