import { parts } from '../../../domain/fixity/item-states.ts'
import type { Counts, Section } from './answers.ts'

/* Counts of items by the folder that they are in. */

/** A section while it is added up. */
export interface MutableSection {
  counts: { -readonly [Name in keyof Counts]: number }
  bytes: number
}

export const emptySection = (): MutableSection => ({
  counts: Object.fromEntries(['expected', ...parts].map((name) => [name, 0])) as MutableSection['counts'],
  bytes: 0,
})

export const total = (sections: Iterable<Section>): Section => {
  const sum = emptySection()
  for (const section of sections) {
    sum.bytes += section.bytes
    for (const name of Object.keys(sum.counts) as (keyof Counts)[]) sum.counts[name] += section.counts[name]
  }
  return sum
}

/** The first step from `base` down to `folder`, from the store's root: `letters/`; `.` for files directly in `base`. */
export const below = (base: string, folder: string): string => {
  const inside = `${folder}/`.slice(base.length)
  const slash = inside.indexOf('/')
  return slash <= 0 ? '.' : base + inside.slice(0, slash + 1)
}
