import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import manifest from '../../../package.json' with { type: 'json' }

/** The program that folds events into rows. */
export interface Program {
  readonly version: string
  /** SHA-256 in hex. */
  readonly digest: string
}

const top = join(import.meta.dirname, '..', '..', '..')
/** Folds are pure, so their rows depend on nothing but these files and Node. */
const folders = ['packages', 'src/async', 'src/domain', 'src/projections']

let known: Program | undefined

/**
 * The digest is SHA-256 of lines as `sha256sum` writes them, a file each: its SHA-256 in hex, two spaces, its path. The files are those
 * that ran: `*.ts` in a checkout, `*.js` in an installed package, each release of which has one digest. They lie in `src` of each of
 * `packages`, and below `src/async`, `src/domain` and `src/projections`; lines are in the order of the paths:
 *
 *     find packages/<each>/src src/async src/domain src/projections -type f -name '*.ts' | LC_ALL=C sort | xargs sha256sum | sha256sum
 */
export const program = (): Program => {
  known ??= { version: manifest.version, digest: hash('sha256', digestLines(top)) }
  return known
}

const digestLines = (root: string): string =>
  folders
    .flatMap((folder) => sourcesIn(root, folder))
    .sort()
    .map((path) => `${hash('sha256', readFileSync(join(root, path)))}  ${path}\n`)
    .join('')

const sourcesIn = (root: string, folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|js)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => folder !== 'packages' || /^packages\/[^/]+\/src\//.test(path))
