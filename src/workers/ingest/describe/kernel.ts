import type { Description } from '../../../domain/ingest/payload.ts'
import { clip } from '../../../domain/kernel/clip.ts'

/* Kernel metadata (who, what, when) from producers' files. */

export type Kernel = Pick<Description, 'who' | 'what' | 'when'>

const maxLength = 4000

/** False for an empty value, and for standard values that mean "unknown": `(:unas)`, `:unav`. */
export const isKnown = (value: string): boolean => value !== '' && !/^(\(:\w+\)|:[a-z]+)$/i.test(value)

export const kernelOf = (stated: Readonly<Record<'who' | 'what' | 'when', readonly string[]>>): Kernel =>
  Object.fromEntries(
    Object.entries(stated).flatMap(([word, values]) => {
      const known = [...new Set(values)].filter(isKnown)
      return known.length === 0 ? [] : [[word, clip(known.join('; '), maxLength)]]
    }),
  )
