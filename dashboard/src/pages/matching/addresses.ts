import { pathOf } from '../../address/address.ts'

export const graphAt = (work: string): string => pathOf('/matching/graphs/:work', { work })

export const compareAt = (a: string, b: string): string =>
  `/matching/compare?${new URLSearchParams({ a, b })}`

/** The graph of a link's beginning, and what would become of it without the link. */
export const whatIfAt = ({ from, to }: { readonly from: string; readonly to: string }): string =>
  `${graphAt(from)}?${new URLSearchParams({ from, to })}`
