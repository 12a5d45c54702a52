import type { CaptureQuery } from '../query/capture-query.ts'

/*
 * Pages consist of blocks, as in the indexes of the original servers: lines before filters, so that a page
 * may show fewer, or none.
 */

export const blockLines = 3000

export const pageOf = (page: number, pageSize: number): NonNullable<CaptureQuery['page']> => ({
  skip: page * pageSize * blockLines,
  take: pageSize * blockLines,
})

export const pagesIn = (lines: number, pageSize: number): number => Math.ceil(lines / (pageSize * blockLines))
