import * as E from 'fp-ts/lib/Either.js'
import { itemOf } from '../../domain/fixity/item.ts'
import { type FixityRejection, reject } from '../../domain/fixity/rejections.ts'
import { resolutions, stores } from '../../domain/fixity/views.ts'
import { is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { ViewStore } from '../../ports/view-store.ts'

interface FindingOfPath {
  readonly store?: string | undefined
  readonly path: string
  readonly resolution?: string | undefined
}

const maxNamed = 5

/**
 * Names the one open finding about a path, in the given store or in any. Without a store the path may be the item's id,
 * `<store>/<path>`. Undefined where store and finding are given: the item's own stream knows them. Rejects with `unknown-resolution` or `several-findings`.
 */
export const resolveFinding = <Input extends FindingOfPath>(input: Input) => {
  const { store, path, resolution } = input
  if (store !== undefined && resolution !== undefined) return undefined
  return (views: Pick<ViewStore, 'query'>): E.Either<FixityRejection, Input> => {
    const openIn = (name: string, path: string) =>
      rowsIfFolded(views, resolutions, {
        where: [
          is('store', name),
          is('path', path),
          is('status', 'open'),
          ...(resolution === undefined ? [] : [is('resolution', resolution)]),
        ],
      })
    const names = store === undefined ? rowsIfFolded(views, stores).map((row) => row.store) : [store]
    const byPath = names.flatMap((name) => openIn(name, path))
    const named = store === undefined && byPath.length === 0 && path.includes('/') ? itemOf(path) : undefined
    const open = named ? openIn(named.store, named.path) : byPath
    const [first, ...others] = open
    if (!first)
      return reject(
        'unknown-resolution',
        `no finding about ${path} is open${store === undefined ? '' : ` in store ${store}`}; \`fonds fixity findings\` lists those that are`,
      )
    if (others.length > 0) return reject('several-findings', severalText(path, open))
    return E.right({ ...input, store: first.store, path: first.path, resolution: first.resolution })
  }
}

const severalText = (
  path: string,
  open: readonly { readonly store: string; readonly resolution: string }[],
): string => {
  const named = open
    .slice(0, maxNamed)
    .map(({ store, resolution }) => `store=${store} resolution=${resolution}`)
    .join(', ')
  const more = open.length - maxNamed
  return `${open.length} findings about ${path} are open; name one: ${named}${more > 0 ? `, and ${more} more` : ''}`
}
