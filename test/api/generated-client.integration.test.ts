import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { startServer } from './server.ts'

const execute = promisify(execFile)
const inModules = (path: string) => join(import.meta.dirname, '../../node_modules', path)

/** openapi-typescript works on the API of TypeScript 5, which 7 has no more. */
const hook = `import { registerHooks } from 'node:module'
registerHooks({ resolve: (name, context, next) => next(name === 'typescript' ? 'typescript-5' : name, context) })`

it('a client made by openapi-typescript compiles, knows the columns of each view, and reads one', async () => {
  const { system, app, document, post } = await startServer({ roles: ['projections'] })
  const folder = await mkdtemp(join(tmpdir(), 'fonds-client-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const at = (name: string) => join(folder, name)

  await writeFile(at('openapi.json'), JSON.stringify(document))
  await execute(process.execPath, [
    `--import=data:text/javascript,${encodeURIComponent(hook)}`,
    inModules('openapi-typescript/bin/cli.js'),
    at('openapi.json'),
    '--output',
    at('schema.ts'),
  ])
  await copyFile(join(import.meta.dirname, 'generated-client.ts.txt'), at('client.ts'))
  await writeFile(at('package.json'), '{ "type": "module" }')
  const strictly = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--noUncheckedIndexedAccess',
    '--allowImportingTsExtensions',
  ]
  const modern = ['--target', 'esnext', '--module', 'nodenext', '--lib', 'esnext,dom']
  const compiled = await execute(process.execPath, [
    inModules('typescript/bin/tsc'),
    ...strictly,
    ...modern,
    at('client.ts'),
  ]).catch(({ stdout }: { stdout: string }) => ({ stdout }))
  expect(compiled.stdout).toBe('')

  const { body } = await post('/api/v1/commands/fixity.register-store', {
    input: { store: 'main', kind: 'external' },
    actor: 'r.vermeer',
    reason: 'a test',
  })
  const address = await app.listen({ port: 0 })
  const ran = await execute(process.execPath, [at('client.ts'), address, body.position])
  expect(JSON.parse(ran.stdout)).toEqual({
    stores: ['main'],
    position: system.viewStore.checkpoint(live()).position.toString(),
  })

  function live() {
    const found = system.viewStore.live('fixity')
    if (!found) throw new Error('the view was never folded')
    return found
  }
})

it('each view has a schema of its own name, and rows that keep to it', async () => {
  const { document, get } = await startServer({ roles: ['projections'] })
  const { views } = (await get('/api/v1/views')).body
  expect(views.length).toBeGreaterThan(20)
  for (const { name, columns } of views) {
    const schema =
      document.paths[`/api/v1/views/${name}`].get.responses[200].content['application/json'].schema
    const own = document.components.schemas[schema.$ref.split('/').at(-1)]
    expect(Object.keys(own.properties.rows.items.properties), name).toEqual(Object.keys(columns))
  }
})
