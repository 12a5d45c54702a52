import { createHash } from 'node:crypto'
import { type FileHandle, open, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { ExportedLines } from './types.ts'

const compress = promisify(gzip)

/**
 * Writes sorted lines as a ZipNum cluster into a folder. `<name>.cdx.gz` has the lines, each block a gzip
 * member. `<name>.idx` has a line for each block: the key and the time of its first line, part, offset and
 * length of the member, number of the block. `<name>.loc` maps parts to files. The `.idx` is renamed into
 * place last, so that the rest is complete when it is found. Lines have no LF.
 */
export const exportZipNum = async (
  folder: string,
  name: string,
  batches: AsyncIterable<readonly Uint8Array[]>,
  linesPerBlock = 3000,
): Promise<ExportedLines> => {
  const cluster = join(folder, `${name}.cdx.gz`)
  const summary = join(folder, `${name}.idx`)
  const locations = join(folder, `${name}.loc`)
  const draft = `${cluster}.tmp`
  const hash = createHash('sha256')
  const index: string[] = []
  let lines = 0
  let offset = 0

  const file = await open(draft, 'w')
  try {
    for await (const block of blocksOf(batches, linesPerBlock)) {
      const member = await compress(Buffer.concat(block.flatMap((line) => [line, lineFeed])))
      index.push([headOf(block[0]!), name, offset, member.length, index.length + 1].join('\t'))
      await writeAll(file, member)
      hash.update(member)
      offset += member.length
      lines += block.length
    }
    await file.sync()
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  } finally {
    await file.close()
  }
  await rename(draft, cluster)
  await replace(locations, `${name}\t${basename(cluster)}\n`)
  await replace(summary, index.map((line) => `${line}\n`).join(''))
  return { lines, blocks: index.length, sha256: hash.digest('hex') }
}

const lineFeed = Buffer.from('\n')

async function* blocksOf(batches: AsyncIterable<readonly Uint8Array[]>, size: number) {
  let block: Uint8Array[] = []
  for await (const batch of batches)
    for (const line of batch) {
      block.push(line)
      if (block.length < size) continue
      yield block
      block = []
    }
  if (block.length > 0) yield block
}

/** Key and time: the text before the second space. */
const headOf = (line: Uint8Array): string => {
  const time = line.indexOf(32) + 1
  const end = time === 0 ? -1 : line.indexOf(32, time)
  return Buffer.from(end < 0 ? line : line.subarray(0, end)).toString('latin1')
}

const writeAll = async (file: FileHandle, bytes: Uint8Array): Promise<void> => {
  for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at)).bytesWritten
}

const replace = async (path: string, text: string): Promise<void> => {
  await writeFile(`${path}.tmp`, text, { encoding: 'latin1', flush: true })
  await rename(`${path}.tmp`, path)
}
