import type { QualityLine } from './answers.ts'

/** Lines of a kind, the worst first, and how many there are. */
export interface Source {
  readonly what: QualityLine['what']
  readonly count: () => number
  readonly lines: (page: { readonly limit: number; readonly offset: number }) => readonly QualityLine[]
}
