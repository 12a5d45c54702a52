import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'

/** A file of the page, with what was compressed when it was built. */
export interface BuiltFile {
  readonly contentType: string
  readonly tag: string
  /** By content coding, `identity` among them. */
  readonly bodies: Readonly<Record<string, Buffer>>
}

/** By path, as in `/assets/main-C0ffee.js`. */
export type BuiltFiles = ReadonlyMap<string, BuiltFile>

/** Where `npm run dashboard:build` puts them. */
export const builtFolder = join(import.meta.dirname, '../../../dashboard/dist')

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const endings = { gzip: '.gz', br: '.br' } as const

/**
 * The page's files, read once: they are some hundred kilobytes. Undefined where it was not built. `@fastify/static` makes
 * the tag of a file's time, which differs between machines, and reads the disk for each request.
 */
export const readBuiltFiles = (folder: string): BuiltFiles | undefined => {
  if (!existsSync(join(folder, 'index.html'))) return undefined
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const files = names.filter((name) => contentTypes[extname(name)] !== undefined)
  return new Map(files.map((name) => [`/${relative(folder, name).split(sep).join('/')}`, fileAt(name)]))
}

const fileAt = (name: string): BuiltFile => {
  const identity = readFileSync(name)
  const compressed = Object.entries(endings)
    .filter(([, ending]) => existsSync(name + ending))
    .map(([coding, ending]) => [coding, readFileSync(name + ending)] as const)
  return {
    contentType: contentTypes[extname(name)] ?? '',
    tag: `"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`,
    bodies: { identity, ...Object.fromEntries(compressed) },
  }
}
