import type { NewVersion, SourceFile } from './types.ts'

/*
 * The inventory of an OCFL 1.1 object: the names of each version, and the paths of the bytes of each digest.
 */

/** Names or paths by digest. */
export type Files = Readonly<Record<string, readonly string[]>>

export interface Version {
  /** ISO 8601. */
  readonly created: string
  /** Names of the version by digest. */
  readonly state: Files
  readonly message?: string
  readonly user?: { readonly name: string; readonly address?: string }
}

/** As in inventory.json. */
export interface Inventory {
  readonly id: string
  readonly type: string
  readonly digestAlgorithm: string
  /** Name of the last version. */
  readonly head: string
  readonly contentDirectory?: string
  /** Paths from the object's folder, by digest. */
  readonly manifest: Files
  /** By name. */
  readonly versions: Readonly<Record<string, Version>>
  /** Digests of other algorithms. */
  readonly fixity?: Readonly<Record<string, Files>>
}

/** Returns the JSON value as an inventory; undefined if it lacks anything that OCFL 1.1 requires. */
export const asInventory = (value: unknown): Inventory | undefined => (isInventory(value) ? value : undefined)

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isText = (value: unknown): value is string => typeof value === 'string'

const isOptional = (value: unknown, is: (value: unknown) => boolean): boolean =>
  value === undefined || is(value)

const isRecordOf =
  (is: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    isFields(value) && Object.values(value).every(is)

const areFiles = isRecordOf((names) => Array.isArray(names) && names.every(isText))

const isUser = (value: unknown): boolean => {
  if (!isFields(value)) return false
  const { name, address } = value
  return isText(name) && isOptional(address, isText)
}

const isVersion = (value: unknown): boolean => {
  if (!isFields(value)) return false
  const { created, state, message, user } = value
  return isText(created) && areFiles(state) && isOptional(message, isText) && isOptional(user, isUser)
}

const isInventory = (value: unknown): value is Inventory => {
  if (!isFields(value)) return false
  const { id, type, digestAlgorithm, head, manifest, versions, contentDirectory, fixity } = value
  return (
    [id, type, digestAlgorithm, head].every(isText) &&
    areFiles(manifest) &&
    isRecordOf(isVersion)(versions) &&
    isOptional(contentDirectory, isText) &&
    isOptional(fixity, isRecordOf(areFiles))
  )
}

export const inventoryType = 'https://ocfl.io/1.1/spec/#inventory'

export const versionNumber = (name: string): number => Number(name.slice(1))

/** Other programs may pad version numbers with zeros: an object has one width. */
export const versionName = (version: number, head: string | undefined): string =>
  head?.startsWith('v0') ? `v${String(version).padStart(head.length - 1, '0')}` : `v${version}`

/** The inventory as it was when that version was the last; undefined if there is none. */
export const asOf = (inventory: Inventory | undefined, version: number): Inventory | undefined => {
  const head = inventory && Object.keys(inventory.versions).find((name) => versionNumber(name) === version)
  return head === undefined ? undefined : { ...inventory!, head }
}

/** The state of the inventory's head: digests by name. */
export const stateOf = ({ head, versions }: Inventory): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(versions[head]?.state ?? {}).flatMap(([digest, names]) =>
      names.map((name) => [name, digest.toLowerCase()] as const),
    ),
  )

/** Path of the bytes of a digest, from the object's folder. */
export const contentOf = (inventory: Inventory, digest: string): string | undefined =>
  (inventory.manifest[digest] ?? inventory.manifest[digest.toUpperCase()])?.[0]

/** New bytes, and their path from the version's folder. */
export interface NewContent {
  readonly source: SourceFile
  readonly place: string
}

export interface NextVersion {
  readonly inventory: Inventory
  readonly content: readonly NewContent[]
  /** Names in the version. */
  readonly files: number
}

/** How new bytes are named. */
export interface ContentNaming {
  /** Folder of the version's new bytes below that of its content; absent: none. */
  readonly folder?: string
  /** Longest name below that folder, in bytes; bytes of files with longer names are named by their digest. */
  readonly maxBytes?: number
  /** Path of bytes that are in the object's folder already, from that folder; undefined: they are to be put. */
  readonly placeOf?: (source: SourceFile) => string | undefined
}

/** Folder of bytes in that of a version. */
export const contentFolder = 'content'

/**
 * Adds a version to the inventory. Bytes that the object has are not stored again. `error` says why the
 * version cannot be stored.
 */
export const nextInventory = (
  before: Inventory | undefined,
  sources: readonly SourceFile[],
  asked: NewVersion,
  naming: ContentNaming = {},
): NextVersion | { readonly error: string } => {
  const name = versionName(asked.basedOn + 1, before?.head)
  const carried = before && asked.carry === 'all' ? stateOf(before) : new Map<string, string>()
  const state = new Map(carried)
  for (const path of asked.drop ?? []) state.delete(path)
  const seen = new Set<string>()
  for (const { path, sha256 } of sources) {
    if (seen.has(path)) return { error: `two files are named ${path}` }
    seen.add(path)
    state.set(path, sha256)
  }
  const wrong = wrongName(state)
  if (wrong !== undefined) return { error: wrong }

  const { manifest, content } = newContent(before?.manifest ?? {}, name, sources, naming)
  const version: Version = {
    created: asked.created,
    state: byDigest(state),
    message: asked.message,
    user: asked.user,
  }
  const inventory: Inventory = {
    id: asked.object,
    type: inventoryType,
    digestAlgorithm: 'sha256',
    head: name,
    contentDirectory: contentFolder,
    manifest,
    versions: { ...before?.versions, [name]: version },
    ...(before?.fixity && { fixity: before.fixity }),
  }
  return { inventory, content, files: state.size }
}

/** Returns true if the inventory's head was written by the same request. */
export const isRepeat = (inventory: Inventory, next: Inventory): boolean =>
  JSON.stringify(comparable(inventory.versions[inventory.head])) ===
  JSON.stringify(comparable(next.versions[next.head]))

const comparable = (version: Version | undefined) =>
  version && [
    version.created,
    version.message,
    version.user?.name,
    version.user?.address,
    Object.entries(version.state)
      .map(([digest, names]) => [digest.toLowerCase(), [...names].sort()] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  ]

const newContent = (
  known: Inventory['manifest'],
  version: string,
  sources: readonly SourceFile[],
  { folder, maxBytes = maxNameBytes, placeOf }: ContentNaming,
) => {
  const manifest: Record<string, readonly string[]> = { ...known }
  const digests = new Set(Object.keys(known).map((digest) => digest.toLowerCase()))
  const nameFor = contentNames(maxBytes)
  const below = folder === undefined ? contentFolder : `${contentFolder}/${folder}`
  const content: NewContent[] = []
  for (const source of sources) {
    if (digests.has(source.sha256)) continue
    digests.add(source.sha256)
    const there = placeOf?.(source)
    if (there !== undefined) {
      manifest[source.sha256] = [there]
      continue
    }
    const place = `${below}/${nameFor(source.path, `${digestFolder}/${source.sha256}`)}`
    manifest[source.sha256] = [`${version}/${place}`]
    content.push({ source, place })
  }
  return { manifest, content }
}

const byDigest = (state: ReadonlyMap<string, string>): Record<string, string[]> => {
  const names: Record<string, string[]> = {}
  for (const [name, digest] of state) {
    names[digest] ??= []
    names[digest].push(name)
  }
  return names
}

const digestFolder = 'by-digest'
/** Folder of staged bytes, whose digest is not known when they get their name. */
export const nameFolder = 'by-name'
const ownFolders = [digestFolder, nameFolder]
const maxSegmentBytes = 255
const maxNameBytes = 1024

/**
 * Names files of bytes on disk: by their name in the object if every file system accepts it beside those
 * before it, else by another, such as their digest. Some file systems take names that differ only in case or Unicode
 * form for one.
 */
export const contentNames = (maxBytes: number) => {
  const files = new Set<string>()
  const folders = new Set<string>()
  return (path: string, other: string): string => {
    const folded = path.normalize('NFC').toLowerCase()
    const above = parents(folded)
    const isFree = !files.has(folded) && !folders.has(folded) && !above.some((folder) => files.has(folder))
    if (!isFree || !isPortable(path, maxBytes)) return other
    files.add(folded)
    for (const folder of above) folders.add(folder)
    return path
  }
}

const isPortable = (path: string, maxBytes: number): boolean =>
  Buffer.byteLength(path) <= maxBytes &&
  path.split('/').every(isPortableSegment) &&
  !ownFolders.some((folder) => path.toLowerCase().startsWith(`${folder}/`))

/**
 * Returns false for control characters, backslashes, colons, and blanks or dots at the end, each of which
 * some file system refuses.
 */
const isPortableSegment = (segment: string): boolean =>
  Buffer.byteLength(segment) <= maxSegmentBytes &&
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  !/[\u0000-\u001f\u007f\\:*?"<>|]|[. ]$/.test(segment) &&
  segment.isWellFormed()

const parents = (path: string): readonly string[] =>
  [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index))

/** Says why these names cannot be those of one version; undefined if they can. */
const wrongName = (state: ReadonlyMap<string, string>): string | undefined => {
  for (const name of state.keys()) {
    if (!name.isWellFormed()) return `the name ${JSON.stringify(name)} is not Unicode text`
    const segment = name.split('/').find((segment) => ['', '.', '..'].includes(segment))
    if (segment !== undefined)
      return `the name ${JSON.stringify(name)} has an empty segment or a dot for one: such a name leads elsewhere`
    const folder = parents(name).find((folder) => state.has(folder))
    if (folder !== undefined) return `${folder} would be a file and the folder of ${name}`
  }
  return undefined
}
