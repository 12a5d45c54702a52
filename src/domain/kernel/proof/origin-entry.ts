/*
 * The first entry of a tree that was begun in the place of another, form `fonds.origin/v1`: it names the tree before it as far as
 * that was known, and the event by which a person began the new one.
 *
 *   fonds.origin/v1
 *   "archive.example/3f2a…/20261130T131500Z"        origin of the tree before
 *   1234                                            its size, or `unknown`
 *   RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=    its root, or `unknown`
 *   "0190c3b0-0000-7000-8000-000000000003"          id of the event
 */

/** A tree as it was last known. */
export interface EarlierTree {
  readonly origin: string
  /** Decimal text; undefined if no head of it was at hand. */
  readonly size?: string
  /** SHA-256 in base64; undefined if no head of it was at hand. */
  readonly root?: string
}

export const originEntry = (
  { origin, size = 'unknown', root = 'unknown' }: EarlierTree,
  event: string,
): string => `fonds.origin/v1\n${JSON.stringify(origin)}\n${size}\n${root}\n${JSON.stringify(event)}\n`
