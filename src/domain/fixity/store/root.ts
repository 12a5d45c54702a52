/** Says what is wrong with the root of a store that Fonds reads; undefined if it is an absolute path or a bucket's address. */
export const rootProblem = (root: string | undefined): string | undefined =>
  root?.startsWith('/') || root?.startsWith('s3://')
    ? undefined
    : 'must be the absolute path of a folder, or s3://bucket/prefix'
