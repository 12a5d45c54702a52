import { execFile } from 'node:child_process'
import { glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/*
 * `npm run dashboard:types`: writes the types of the calls that the page makes, from our own OpenAPI document, and which of them can
 * be asked about the past. Those are the paths that its sources name.
 */

const execute = promisify(execFile)
const root = join(import.meta.dirname, '..')
const most = { maxBuffer: 64 * 1024 * 1024 }

export const typesFile = join(import.meta.dirname, 'src/api/schema.ts')
export const asOfFile = join(import.meta.dirname, 'src/api/as-of-routes.ts')
const written = [typesFile, asOfFile]

/** openapi-typescript works on the API of TypeScript 5, which 7 has no more. */
const hook = `import { registerHooks } from 'node:module'
registerHooks({ resolve: (name, context, next) => next(name === 'typescript' ? 'typescript-5' : name, context) })`

interface Operation {
  readonly parameters?: readonly { readonly name?: string }[]
  readonly responses: Readonly<Record<string, unknown>>
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> }
}

/** The document with the routes that the page asks alone, and of what they answer only success: problems have one shape. */
const asked = async ({ paths, components, ...rest }: OpenApi): Promise<OpenApi> => {
  const sources: string[] = []
  for await (const file of glob('src/**/*.{ts,tsx}', { cwd: import.meta.dirname }))
    if (!written.includes(join(import.meta.dirname, file)))
      sources.push(await readFile(join(import.meta.dirname, file), 'utf8'))
  const text = sources.join('\n')
  const kept = Object.entries(paths).filter(([path]) => text.includes(`'${path}'`))
  const withSuccess = ({ responses, ...operation }: Operation) => ({
    ...operation,
    responses: Object.fromEntries(Object.entries(responses).filter(([status]) => status.startsWith('2'))),
  })
  const keptPaths = Object.fromEntries(
    kept.map(([path, operations]) => [
      path,
      Object.fromEntries(Object.entries(operations).map(([verb, one]) => [verb, withSuccess(one)])),
    ]),
  )
  const said = JSON.stringify(keptPaths)
  const schemas = Object.entries(components.schemas).filter(
    ([name]) => name === 'Problem' || said.includes(`#/components/schemas/${name}"`),
  )
  return { ...rest, paths: keptPaths, components: { schemas: Object.fromEntries(schemas) } }
}

/** TypeScript for what the page asks of the routes of an OpenAPI document. */
export const typesOf = async (document: OpenApi): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'fonds-types-'))
  try {
    const [from, to] = [join(folder, 'openapi.json'), join(folder, 'schema.ts')]
    await writeFile(from, JSON.stringify(await asked(document)))
    await execute(process.execPath, [
      `--import=data:text/javascript,${encodeURIComponent(hook)}`,
      join(root, 'node_modules/openapi-typescript/bin/cli.js'),
      from,
      '--output',
      to,
    ])
    return await readFile(to, 'utf8')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The routes among them that take `asOf`, as a module. */
export const asOfRoutesOf = async (document: OpenApi): Promise<string> => {
  const { paths } = await asked(document)
  const routes = Object.entries(paths)
    .filter(([, { get }]) => get?.parameters?.some(({ name }) => name === 'asOf'))
    .map(([path]) => `  '${path}',\n`)
  return `/* Written by \`npm run dashboard:types\`. */

/** The routes that are asked about the past as well. */
export const asOfRoutes: ReadonlySet<string> = new Set([
${routes.toSorted().join('')}])
`
}

if (import.meta.main) {
  const home = await mkdtemp(join(tmpdir(), 'fonds-home-'))
  try {
    const printed = await execute(join(root, 'bin/fonds'), ['--home', home, 'schema', '--openapi'], most)
    const document = JSON.parse(printed.stdout) as OpenApi
    await writeFile(typesFile, await typesOf(document))
    await writeFile(asOfFile, await asOfRoutesOf(document))
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}
