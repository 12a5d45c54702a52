import { readdirSync } from 'node:fs'
import { join, posix } from 'node:path'

/** Of each room, what its files may import beside their own and packages. A room that is not here may not be. */
const mayImport = {
  domain: [],
  ports: ['domain'],
  async: ['domain', 'ports'],
  processors: ['domain', 'ports', 'async'],
  projections: ['domain', 'ports', 'async'],
  workers: ['domain', 'ports', 'async'],
  workflows: ['domain', 'ports', 'async', 'processors', 'projections', 'workers'],
  app: ['domain', 'ports', 'async', 'processors', 'projections', 'workers', 'workflows'],
  api: ['domain', 'ports', 'async', 'processors', 'projections', 'workers', 'workflows', 'app'],
  cli: ['domain', 'ports', 'async', 'processors', 'projections', 'workers', 'workflows', 'app'],
  infra: ['domain/kernel', 'ports', 'async'],
  main: ['cli', 'api', 'app', 'open-system', 'open-home'],
  'open-system': [
    'infra',
    'ports',
    'async',
    'processors',
    'workflows',
    'app',
    'open-home',
    'open-event-store',
    'open-storage',
    'open-proof',
  ],
  'open-home': ['infra', 'ports', 'async', 'processors', 'workflows', 'app', 'open-event-store'],
  'open-event-store': ['infra', 'ports', 'app'],
  'open-storage': ['infra', 'domain', 'ports'],
  'open-proof': ['infra', 'ports', 'async', 'app'],
} as const satisfies Readonly<Record<string, readonly string[]>>

type Room = keyof typeof mayImport

/** Of each package, the packages that it may import: in one direction. One that is not here may not be. */
const packagesOf = {
  bag: ['bytes', 'digests'],
  bytes: [],
  cdx: ['toolbox'],
  digests: [],
  download: [],
  ocfl: ['toolbox'],
  premis: [],
  sound: ['bytes'],
  tlog: [],
  toolbox: [],
  warc: [],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** Each has a folder of its name in its rooms; the other folders are everybody's. */
export const workflows: readonly string[] = readdirSync(join(import.meta.dirname, '../src/domain')).filter(
  (name) => name !== 'kernel',
)

/** They list the workflows. */
const lists: readonly string[] = ['src/workflows/declared.ts', 'src/workflows/settings.ts']

interface Place {
  readonly room: string
  /** Room and folder in it. */
  readonly folder: string
  readonly workflow?: string
  /** It may name any workflow. */
  readonly isList?: true
  /** Of a package, as its importers name it: `.` does no I/O. */
  readonly entry?: string
}

/** Of a file, or of a package's entry as it is imported: `@fonds/sound/decode`. */
const placeOf = (file: string, workflows: readonly string[]): Place => {
  const [top = '', ...rest] = file.split('/')
  if (top === 'packages') return { room: 'packages', folder: `packages/${rest[0]}` }
  if (top === '@fonds')
    return { room: 'packages', folder: `packages/${rest[0]}`, entry: rest.slice(1).join('/') || '.' }
  if (top === 'infra') return { room: 'infra', folder: 'infra' }
  const [room = '', folder = ''] = rest
  if (rest.length === 1) return { room: room.replace(/\.ts$/, ''), folder: room }
  return {
    room,
    folder: `${room}/${folder}`,
    ...(workflows.includes(folder) && rest.length > 2 && { workflow: folder }),
    ...((lists.includes(file) || folder === 'demo') && { isList: true as const }),
  }
}

/** Of static, dynamic and type imports, and of modules that threads are started from. */
const imports = /(?:\bfrom|\bimport\(|\bimport|new URL\()\s*'([^']+)'/g

export const specifiersOf = (text: string): readonly string[] =>
  [...text.matchAll(imports)].map(([, specifier = '']) => specifier)

/** The file that is meant, from the root of the project; npm's and Node's modules as they are named. */
export const targetOf = (file: string, specifier: string): string =>
  specifier.startsWith('#')
    ? specifier.slice(1)
    : specifier.startsWith('.')
      ? posix.join(posix.dirname(file), specifier)
      : specifier

const targetsOf = (file: string, text: string): readonly string[] =>
  specifiersOf(text)
    .map((specifier) => targetOf(file, specifier))
    .filter((target) => /^(?:src|infra|packages|dashboard|@fonds)\//.test(target))

/** Node's modules that do no I/O. */
const pure = ['node:buffer', 'node:util']

/** Of a package's entry, what it loads of npm, and of Node that may do I/O, in whichever of its files. */
export const loadedBy = (
  file: string,
  read: (file: string) => string,
  seen = new Set<string>(),
): readonly string[] => {
  if (seen.has(file)) return []
  seen.add(file)
  return specifiersOf(withoutTypes(read(file)))
    .filter((specifier) => !pure.includes(specifier) && !/^@fonds\/[^/]+$/.test(specifier))
    .flatMap((specifier) =>
      specifier.startsWith('.') ? loadedBy(targetOf(file, specifier), read, seen) : [`${file}: ${specifier}`],
    )
}

/** What is imported as a type is not loaded. */
const withoutTypes = (text: string): string => text.replace(/\b(?:import|export) type [^'=]*'[^']*'/g, '')

/** The imports that no room allows, one sentence each; files are named from the root of the project. */
export const crossings = (files: ReadonlyMap<string, string>, known = workflows): readonly string[] =>
  [...files].flatMap(([file, text]) => {
    const from = placeOf(file, known)
    return targetsOf(file, text).flatMap((target) => {
      const to = placeOf(target, known)
      const says = whyNot(from, to)
      return says === undefined ? [] : [`${file} imports ${target}: ${says}`]
    })
  })

const whyNot = (from: Place, to: Place): string | undefined => {
  if (from.room === 'packages') return whyNotPackage(from, to)
  if (to.room === 'packages') {
    if (to.entry === undefined) return `a package is imported by its name, @fonds/${to.folder.slice(9)}`
    return from.room === 'domain' && to.entry !== '.' ? 'domain imports what does no I/O' : undefined
  }
  if (from.workflow !== undefined && to.workflow !== undefined && from.workflow !== to.workflow)
    return 'workflows meet through events'
  if (from.workflow === undefined && to.workflow !== undefined && !from.isList)
    return `${from.folder} is every workflow's`
  if (from.room === to.room) return undefined
  const allowed: readonly string[] | undefined = mayImport[from.room as Room]
  if (!allowed) return `there is no room ${from.room}`
  return allowed.includes(to.room) || allowed.includes(to.folder)
    ? undefined
    : `${from.room} may import ${allowed.join(', ') || 'nothing'}`
}

const whyNotPackage = (from: Place, to: Place): string | undefined => {
  if (from.folder === to.folder && to.entry === undefined) return undefined
  if (to.room !== 'packages') return 'a package knows nothing of Fonds'
  if (to.entry === undefined) return `a package is imported by its name, @fonds/${to.folder.slice(9)}`
  const name = from.folder.slice(9)
  const allowed: readonly string[] | undefined = (packagesOf as Readonly<Record<string, readonly string[]>>)[
    name
  ]
  if (!allowed) return `there is no package ${name}`
  return allowed.includes(to.folder.slice(9))
    ? undefined
    : `${name} may import ${allowed.join(', ') || 'npm alone'}`
}

/** Files that import each other, types included, each group in one line. Whoever reads one has to read them all. */
export const circles = (files: ReadonlyMap<string, string>): readonly string[] => {
  const found: string[] = []
  const places = new Map<string, { readonly index: number; low: number; isOpen: boolean }>()
  const open: string[] = []
  /** Tarjan's strongly connected components. */
  const visit = (file: string) => {
    const place = { index: places.size, low: places.size, isOpen: true }
    places.set(file, place)
    open.push(file)
    for (const target of targetsOf(file, withoutThreads(files.get(file)!))) {
      if (!files.has(target)) continue
      const known = places.get(target)
      if (known?.isOpen === false) continue
      place.low = Math.min(place.low, known?.index ?? visit(target).low)
    }
    if (place.low === place.index) {
      const group = open.splice(open.indexOf(file))
      for (const one of group) places.get(one)!.isOpen = false
      if (group.length > 1) found.push(group.toSorted().join(', '))
    }
    return place
  }
  for (const file of files.keys()) if (!places.has(file)) visit(file)
  return found
}

/** A thread has modules of its own: it may be started by one that it imports. */
const withoutThreads = (text: string): string => text.replace(/\bnew URL\(\s*'[^']*'/g, '')
