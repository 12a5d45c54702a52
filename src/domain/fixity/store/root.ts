import { isBucketAddress } from '../../kernel/bucket-address.ts'

/* The root of a store that Fonds reads: the absolute path of a folder, or `s3://bucket/prefix`. */

/** The root without slashes at its end, where it is in a bucket: a prefix and what lies below it are one place. */
export const storeRoot = (root: string): string => (isBucketAddress(root) ? root.replace(/\/+$/, '') : root)

/** Says what is wrong with a root; undefined if nothing is. */
export const rootProblem = (root: string | undefined): string | undefined =>
  root?.startsWith('/') || /^s3:\/\/[^/]/.test(root ?? '')
    ? undefined
    : 'must be the absolute path of a folder, or s3://bucket/prefix'

/** The root as the subject of a sentence about its store. */
export const itsRoot = (root: string): string => (isBucketAddress(root) ? root : `its folder ${root}`)
