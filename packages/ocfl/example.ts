import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { VersionConflict } from '@fonds/ocfl'
import { openStorageRoot } from '@fonds/ocfl/root'

const [folder = '', ...paths] = process.argv.slice(2)
const root = openStorageRoot({ root: resolve(folder), process: `example-${process.pid}` })

const source = async (path: string) => {
  const bytes = await readFile(path)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { path, size: bytes.length, sha256, from: resolve(path) }
}
const version = {
  object: 'ark:/99999/fk4abc',
  carry: 'all',
  message: 'a deposit',
  user: { name: 'An archivist' },
  created: '2026-11-29T10:00:00Z',
} as const

for (const [basedOn, path] of paths.entries()) {
  const {
    version: number,
    files,
    added,
  } = await root.write({
    ...version,
    basedOn,
    files: [await source(path)],
  })
  console.log(`version ${number}: ${files} files, ${added} bytes more`)
}
for (const { path, size } of (await root.files(version.object)) ?? []) console.log(path, size)
await root.write({ ...version, basedOn: 0, files: [] }).catch((error) => {
  if (error instanceof VersionConflict) console.log(`not written: ${error.message}`)
})
