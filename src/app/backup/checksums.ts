import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isSystemError } from '@fonds/toolbox'
import { entriesOf } from '../../workflows/copy-files.ts'

/* `SHA256SUMS`, as `sha256sum` writes and checks it: `sha256sum -c SHA256SUMS` needs no Fonds. */

export const sumsName = 'SHA256SUMS'

/** Paths of all files beneath a folder, in the order of their code units. */
export const filesBelow = async (folder: string, below = ''): Promise<readonly string[]> => {
  const found: string[] = []
  for (const entry of await entriesOf(join(folder, below))) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory()) found.push(...(await filesBelow(folder, path)))
    else found.push(path)
  }
  return found.sort()
}

export const sha256Of = async (
  path: string,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<string> => {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { signal, highWaterMark: 1 << 20 })) {
    hash.update(chunk as Buffer)
    onBytes((chunk as Buffer).length)
  }
  return hash.digest('hex')
}

/** Names with a line break or a backslash are escaped, and marked by a backslash in front. */
export const sumLine = (sum: string, path: string): string => {
  const escaped = path.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r')
  return `${escaped === path ? '' : '\\'}${sum}  ${escaped}\n`
}

/** By path; undefined where the file is not there, or has a line that is none. */
export const readSums = async (folder: string): Promise<ReadonlyMap<string, string> | undefined> => {
  const text = await readFile(join(folder, sumsName), 'utf8').catch((error: unknown) => {
    if (isSystemError(error, 'ENOENT')) return undefined
    throw error
  })
  if (text === undefined || !text.endsWith('\n')) return undefined
  const sums = new Map<string, string>()
  for (const line of text.slice(0, -1).split('\n')) {
    const [, mark, sum, name] = /^(\\?)([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? []
    if (sum === undefined || name === undefined) return undefined
    sums.set(mark === '' ? name : unescaped(name), sum)
  }
  return sums
}

const unescaped = (name: string): string =>
  name.replace(/\\(.)/g, (_, letter: string) => ({ n: '\n', r: '\r' })[letter] ?? letter)

export const sizeOf = async (folder: string, paths: Iterable<string>): Promise<number> => {
  let bytes = 0
  for (const path of paths)
    bytes += await stat(join(folder, path)).then(
      ({ size }) => size,
      () => 0,
    )
  return bytes
}
