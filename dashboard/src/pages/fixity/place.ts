import { count } from '../../parts/words.ts'

/** A store, as far as its place is concerned. */
interface PlacedStore {
  readonly store: string
  readonly kind: 'folder' | 'external'
  readonly root: string | null
  readonly counts: { readonly expected: number }
}

export const isBucket = (root: string | null): boolean => root?.startsWith('s3://') ?? false

/** Where a store that is there was found. */
export const whereItIs = ({ kind, root }: Pick<PlacedStore, 'kind' | 'root'>): string => {
  if (kind === 'external') return 'observed from elsewhere'
  return isBucket(root) ? 'found in its bucket' : 'mounted'
}

/** A sentence about what a check of all costs, behind another one; nothing where nobody charges for it. */
export const costOf = ({ store, root, counts }: Omit<PlacedStore, 'kind'>): string =>
  isBucket(root)
    ? ` The bucket is asked for each object: ${count(counts.expected)} GET requests at least; \`fonds fixity check ${store} --estimate\` says how many bytes.`
    : ''
