import { cp, glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join, posix } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }

/*
 * Makes `lib/`: Fonds as an installed package runs it. Node strips no types below `node_modules`, and finds no workspace there. So the
 * sources are JavaScript, and import our packages by their paths.
 */

const root = join(import.meta.dirname, '../..')

type Exports = Readonly<Record<string, string>>

/** File of each name under which a package of ours is imported: `@fonds/ocfl/root` is `packages/ocfl/src/root.ts`. */
const ownModules = async (): Promise<ReadonlyMap<string, string>> => {
  const modules = new Map<string, string>()
  for await (const file of glob('packages/*/package.json', { cwd: root })) {
    const { name, exports } = JSON.parse(await readFile(join(root, file), 'utf8')) as {
      readonly name: string
      readonly exports: Exports
    }
    for (const [entry, path] of Object.entries(exports))
      modules.set(posix.join(name, entry), posix.join(dirname(file), path))
  }
  return modules
}

const relative = (from: string, to: string): string => {
  const path = posix.relative(dirname(from), to)
  return path.startsWith('.') ? path : `./${path}`
}

/** The JavaScript of a source: without its types, each module under the name of its file in `lib/`. */
export const asJavaScript = (file: string, source: string, modules: ReadonlyMap<string, string>): string =>
  stripTypeScriptTypes(source)
    .replaceAll(/(?<=')@fonds\/[\w/-]+(?=')/g, (name) => {
      const module = modules.get(name)
      if (module === undefined) throw new Error(`${file}: no package exports ${name}`)
      return relative(file, module)
    })
    .replaceAll(/(?<=['`]\.{1,2}\/[^'`\s]*)\.ts(?=['`])/g, '.js')

const verifiers = ['verify.py', 'verify_statement.py'].map((name) => `infra/proof/verifier/${name}`)

const sources = ['src/**/*.ts', 'infra/**/*.ts', 'packages/*/src/**/*.ts']

/** All but the page. */
export const packSources = async (lib: string): Promise<void> => {
  const modules = await ownModules()
  for await (const file of glob(sources, { cwd: root, exclude: ['infra/local/**'] })) {
    const target = join(lib, file.replace(/\.ts$/, '.js'))
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, asJavaScript(file, await readFile(join(root, file), 'utf8'), modules))
  }
  for (const file of ['bin/resolve.mjs', ...verifiers]) await cp(join(root, file), join(lib, file))
  const { name, version, description, license, type, engines } = manifest
  const about = { name, version, description, license, type, engines }
  await writeFile(join(lib, 'package.json'), `${JSON.stringify(about, null, 2)}\n`)
}

if (import.meta.main) {
  const lib = join(root, 'lib')
  await rm(lib, { recursive: true, force: true })
  await packSources(lib)
  await cp(join(root, 'dashboard/dist'), join(lib, 'dashboard/dist'), { recursive: true })
}
