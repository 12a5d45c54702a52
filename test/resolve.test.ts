import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fonds-resolve-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const put = async (path: string, text: string) => {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), text)
}
const putModule = async (path: string, version: string) => {
  await put(`${path}/package.json`, JSON.stringify({ type: 'module', exports: './index.js' }))
  await put(`${path}/index.js`, `export default '${version}'`)
}

it('a module that is named is that of the importer: of Fonds, or of a package; in a thread as well', async () => {
  await put('package.json', JSON.stringify({ type: 'module' }))
  await mkdir(join(folder, 'bin'))
  await copyFile(join(import.meta.dirname, '../bin/resolve.mjs'), join(folder, 'bin/resolve.mjs'))
  await putModule('node_modules/tool', '1')
  await putModule('packages/a/node_modules/tool', '2')
  for (const name of ['a', 'b']) {
    await put(`packages/${name}/package.json`, JSON.stringify({ type: 'module', exports: './src/index.ts' }))
    await put(`packages/${name}/src/index.ts`, "export { tool } from './tool.ts'")
    await put(`packages/${name}/src/tool.ts`, "import tool from 'tool'\nexport { tool }")
    await mkdir(join(folder, 'node_modules/@fonds'), { recursive: true })
    await symlink(`../../packages/${name}`, join(folder, 'node_modules/@fonds', name))
  }
  await put(
    'src/main.ts',
    `import { isMainThread, Worker } from 'node:worker_threads'
     import tool from 'tool'
     import { tool as ofA } from '@fonds/a'
     import { tool as ofB } from '@fonds/b'
     console.log(tool, ofA, ofB)
     if (isMainThread) new Worker(new URL(import.meta.url))`,
  )
  const args = ['--require', join(folder, 'bin/resolve.mjs'), join(folder, 'src/main.ts')]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(stdout).toBe('1 2 1\n'.repeat(2))
})
