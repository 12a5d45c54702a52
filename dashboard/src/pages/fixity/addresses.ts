/* Where things of fixity are shown. Paths are anybody's: they stand in the query, where any character may. */

const at = (path: string, asked: Readonly<Record<string, string>>): string =>
  `${path}?${new URLSearchParams(asked)}`

export const itemAt = (store: string, path: string): string => at('/fixity/item', { store, path })

export const certificateAt = (store: string, path: string): string =>
  at('/fixity/certificate', { store, path })

export const folderAt = (store: string, prefix = ''): string =>
  at('/fixity/folders', { store, ...(prefix !== '' && { prefix }) })
