export type TarCoding = 'tar' | 'tar.gz' | 'tar.bz2'

export type ContainerKind = 'zip' | TarCoding

const endings: readonly (readonly [RegExp, ContainerKind])[] = [
  [/\.zip$/i, 'zip'],
  [/\.tar$/i, 'tar'],
  [/\.(tar\.gz|tgz)$/i, 'tar.gz'],
  [/\.(tar\.bz2|tbz2?|bz2)$/i, 'tar.bz2'],
]

/** Determined by the extension (reference ingest §2.2); undefined for any other. */
export const containerKind = (name: string): ContainerKind | undefined =>
  endings.find(([ending]) => ending.test(name))?.[1]

/** Recognised, to be rejected by name. */
export const isSevenZip = (name: string): boolean => /\.7z$/i.test(name)

/** Continues the name of a payload that is to be unpacked: what its type needs. */
export const noContainerName =
  'does not end as a container does; pack it as zip, tar, tar.gz or tar.bz2, or, where it is one, give its name with that ending (field `name`; `filename` of a form, --name)'
