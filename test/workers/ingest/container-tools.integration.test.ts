import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createFileWork } from '#src/workers/ingest/files/file-work.ts'
import { containerKind } from '#src/workers/ingest/unpack/container.ts'
import { sha256, testFolder } from '../../workflows/ingest/ingest-world.ts'

/* Containers of real tools: what we read of them is what these tools read. */

const work = createFileWork(60_000)
afterAll(() => work.close())

const hold = { signal: new AbortController().signal, progress: () => {} }
const env = { ...process.env, LC_ALL: 'C.UTF-8' }
const has = (program: string) => !spawnSync(program, ['--help'], { stdio: 'ignore' }).error

const run = (cwd: string, program: string, ...args: readonly string[]) =>
  execFileSync(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })

/** Files of many names and lengths. */
const useFiles = () => {
  const folder = testFolder()
  const source = join(folder, 'source')
  const long = `${'long folder/'.repeat(30)}${'n'.repeat(200)}`
  const files: Readonly<Record<string, Buffer>> = {
    'a.txt': Buffer.from('a'),
    'deep/é ж 漢.txt': Buffer.from('names'),
    [long]: Buffer.from('long'),
    'back\\slash': Buffer.from('Unix takes it'),
    empty: Buffer.alloc(0),
    'runs.bin': Buffer.alloc(3_000_000, 'aaaaaaaab'),
    'steps.bin': Buffer.from(Uint32Array.from({ length: 200_000 }, (_, i) => i * i).buffer),
  }
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(join(source, path, '..'), { recursive: true })
    writeFileSync(join(source, path), bytes)
  }
  return { folder, source, files: filesBelow(source) }
}

/** Their digests: of bytes that differ nobody wants to read millions. */
const filesBelow = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(folder, path), sha256(readFileSync(path))]),
  )

const unpacked = async (folder: string, name: string) => {
  const file = join(folder, name)
  const kind = containerKind(name)
  if (!kind) throw new Error(`${name} is no container`)
  const into = join(folder, `${name}-into`)
  await work.unpack({ file, kind, size: statSync(file).size, into }, hold)
  return filesBelow(into)
}

const python = (script: string) => ['-c', script] as const
const tarOfPython = (format: string) =>
  python(
    `import tarfile; t = tarfile.open('../it.tar', 'w', format=tarfile.${format}); t.add('.'); t.close()`,
  )

it.skipIf(!has('tar') || !has('bzip2')).each<readonly [string, string, readonly string[]]>([
  ['it.tar', 'tar', ['--format=gnu', '-cf', '../it.tar', '.']],
  ['it.tar', 'tar', ['--format=pax', '-cf', '../it.tar', '.']],
  ['it.tar.gz', 'tar', ['-czf', '../it.tar.gz', '.']],
  ['it.tar.bz2', 'tar', ['-cjf', '../it.tar.bz2', '.']],
])('tar reads and we read the same: %s by %s %j', async (name, program, args) => {
  const { folder, source, files } = useFiles()
  run(source, program, ...args)
  mkdirSync(join(folder, 'theirs'))
  run(folder, 'tar', '-xf', name, '-C', 'theirs')
  expect(filesBelow(join(folder, 'theirs'))).toEqual(files)
  expect(await unpacked(folder, name)).toEqual(files)
})

it.skipIf(!has('python3')).each(['PAX_FORMAT', 'GNU_FORMAT'])("Python's tarfile, %s", async (format) => {
  const { folder, source, files } = useFiles()
  run(source, 'python3', ...tarOfPython(format))
  expect(await unpacked(folder, 'it.tar')).toEqual(files)
})

it.skipIf(!has('tar') || !has('bzip2') || !has('gzip'))(
  'several streams in one file, as pbzip2 and bgzip write them',
  async () => {
    const { folder, source, files } = useFiles()
    run(source, 'tar', '-cf', '../it.tar', '.')
    const tar = readFileSync(join(folder, 'it.tar'))
    for (const [program, ending] of [
      ['bzip2', 'bz2'],
      ['gzip', 'gz'],
    ] as const) {
      const streams: Buffer[] = []
      for (let at = 0; at < tar.length; at += 700_001)
        streams.push(execFileSync(program, ['-c'], { input: tar.subarray(at, at + 700_001) }))
      writeFileSync(join(folder, `it.tar.${ending}`), Buffer.concat(streams))
      expect(
        execFileSync(program, ['-dc', join(folder, `it.tar.${ending}`)], { maxBuffer: 1e9 }).equals(tar),
      ).toBe(true)
      expect(await unpacked(folder, `it.tar.${ending}`)).toEqual(files)
    }
  },
)

it.skipIf(!has('zip') || !has('unzip'))('zip writes, and unzip reads and we read the same', async () => {
  const { folder, source, files } = useFiles()
  run(source, 'zip', '-qr', '../it.zip', '.')
  run(folder, 'unzip', '-qq', 'it.zip', '-d', 'theirs')
  expect(filesBelow(join(folder, 'theirs'))).toEqual(files)
  expect(await unpacked(folder, 'it.zip')).toEqual(files)
})

it.skipIf(!has('python3'))("Python's zipfile writes and reads, and we read the same", async () => {
  const { folder, source, files } = useFiles()
  const write = `import os, zipfile
z = zipfile.ZipFile('../it.zip', 'w', zipfile.ZIP_DEFLATED)
for at, _, names in os.walk('.'):
  for name in names: z.write(os.path.join(at, name))
z.close()`
  run(source, 'python3', ...python(write))
  run(folder, 'python3', ...python("import zipfile; zipfile.ZipFile('it.zip').extractall('theirs')"))
  expect(filesBelow(join(folder, 'theirs'))).toEqual(files)
  expect(await unpacked(folder, 'it.zip')).toEqual(files)
})
