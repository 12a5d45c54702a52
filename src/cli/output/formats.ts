/** The formats of rows, the one for people first. */
export const formats = ['table', 'json', 'ndjson', 'csv'] as const
export type Format = (typeof formats)[number]
