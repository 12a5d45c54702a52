import { posix } from 'node:path'

/** Of each room, what its files may import beside their own. A room that is not here may not be. */
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
    'open-folding',
  ],
  'open-home': ['infra', 'ports', 'async', 'processors', 'workflows', 'app', 'open-event-store'],
  'open-event-store': ['infra', 'ports', 'app'],
  'open-folding': ['infra', 'domain', 'app'],
} as const satisfies Readonly<Record<string, readonly string[]>>

type Room = keyof typeof mayImport

/** Rooms that have a folder for each workflow; the other folders in them are everybody's. */
const shared = ['kernel', 'runtime', 'http', 'bagit']
const parted: readonly string[] = ['domain', 'processors', 'projections', 'workers']

interface Place {
  readonly room: string
  /** Room and folder in it. */
  readonly folder: string
  readonly workflow?: string
}

const placeOf = (file: string): Place => {
  const [top = '', ...rest] = file.split('/')
  if (top === 'infra') return { room: 'infra', folder: 'infra' }
  const [room = '', folder = ''] = rest
  if (rest.length === 1) return { room: room.replace(/\.ts$/, ''), folder: room }
  const isWorkflow = parted.includes(room) && rest.length > 2 && !shared.includes(folder)
  return { room, folder: `${room}/${folder}`, ...(isWorkflow && { workflow: folder }) }
}

/** Of static, dynamic and type imports, and of modules that threads are started from. */
const imports = /(?:\bfrom|\bimport\(|\bimport|new URL\()\s*'((?:\.{1,2}\/|#src\/|#infra\/)[^']+)'/g

const targetsOf = (file: string, text: string): readonly string[] =>
  [...text.matchAll(imports)]
    .map(([, specifier = '']) =>
      specifier.startsWith('#') ? specifier.slice(1) : posix.join(posix.dirname(file), specifier),
    )
    .filter((target) => target.startsWith('src/') || target.startsWith('infra/'))

/** The imports that no room allows, one sentence each; files are named from the root of the project. */
export const crossings = (files: ReadonlyMap<string, string>): readonly string[] =>
  [...files].flatMap(([file, text]) => {
    const from = placeOf(file)
    return targetsOf(file, text).flatMap((target) => {
      const to = placeOf(target)
      const says = whyNot(from, to)
      return says === undefined ? [] : [`${file} imports ${target}: ${says}`]
    })
  })

const whyNot = (from: Place, to: Place): string | undefined => {
  if (from.workflow !== undefined && to.workflow !== undefined && from.workflow !== to.workflow)
    return 'workflows meet through events'
  if (from.workflow === undefined && to.workflow !== undefined && parted.includes(from.room))
    return `${from.folder} is every workflow's`
  if (from.room === 'api' && to.workflow !== undefined) return 'api names no workflow'
  if (from.room === to.room) return undefined
  const allowed: readonly string[] | undefined = mayImport[from.room as Room]
  if (!allowed) return `there is no room ${from.room}`
  return allowed.includes(to.room) || allowed.includes(to.folder)
    ? undefined
    : `${from.room} may import ${allowed.join(', ') || 'nothing'}`
}
