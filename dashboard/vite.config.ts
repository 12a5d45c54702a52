import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'

/**
 * Few files, each worth a request: one for each folder of pages, and one for what they share, with the addresses of all of them. What
 * verifies is loaded with the pages that do.
 */
const chunkOf = (id: string): string =>
  /\/packages\/tlog\/|\/kernel\/proof\//.test(id)
    ? 'proof'
    : (/\/src\/pages\/(\w+)\/(?!addresses\.ts$)|\/docs\/(words)\.md/.exec(id)?.slice(1).find(Boolean) ??
      'shell')

/** Each file also compressed, beside it: the server sends what was made once. */
const compressed = (): Plugin => {
  let folder = ''
  return {
    name: 'compressed',
    apply: 'build',
    configResolved: ({ build, root }) => {
      folder = resolve(root, build.outDir)
    },
    closeBundle: async () => {
      for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile()) continue
        const path = join(entry.parentPath, entry.name)
        const bytes = await readFile(path)
        await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }))
        await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes))
      }
    },
  }
}

export default defineConfig({
  root: import.meta.dirname,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [compressed()],
  build: {
    target: 'es2022',
    // It would stand in the page itself, which the policy forbids.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    emptyOutDir: true,
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: chunkOf, debugName: 'folders of pages' }],
        },
      },
    },
  },
  // `npx vite dashboard` beside a running Fonds.
  server: { proxy: { '/api': 'http://127.0.0.1:7070', '/session': 'http://127.0.0.1:7070' } },
})
