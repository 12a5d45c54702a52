/*
 * The first entry of a tree that was begun in the place of another, form `fonds.origin/v1`: it names the tree before it as far as
 * that was known, and the event by which a person began the new one.
 *
 *   fonds.origin/v1
 *   origin "archive.example/3f2a…/20261130T131500Z"
 *   size 1234
 *   root <64 digits in hex>
 *   event "0190c3b0-0000-7000-8000-000000000003"
 */

/** A tree as it was last known. */
export interface EarlierTree {
  readonly origin: string
  /** Decimal text; undefined if no head of it was at hand. */
  readonly size?: string
  /** SHA-256 in hex; undefined if no head of it was at hand. */
  readonly root?: string
}

export const originEntry = (
  { origin, size = 'unknown', root = 'unknown' }: EarlierTree,
  event: string,
): string =>
  `fonds.origin/v1\norigin ${JSON.stringify(origin)}\nsize ${size}\nroot ${root}\nevent ${JSON.stringify(event)}\n`
