import type { Hold } from '../../../async/hold.ts'
import { UnusableContent, type WrittenFile, writeFileBelow } from '../files/write-file.ts'
import { readTar, type TarCoding } from './tar.ts'
import { readZip } from './zip.ts'

/** What a container may hold at most. */
export interface UnpackLimits {
  readonly files: number
  /** Of all files together. */
  readonly bytes: number
  /** Bytes of the files, by bytes of the container. */
  readonly ratio: number
}

/** Deflate packs a run of zeros to a thousandth; what goes beyond is packed in layers, to do harm. */
const usualLimits: UnpackLimits = { files: 1_000_000, bytes: 10 * 1024 ** 4, ratio: 1100 }

/** A file in a container. Its bytes are to be read before the next one is asked for. */
export interface Entry {
  /** With `/`, as the container has it. */
  readonly path: string
  readonly bytes: AsyncIterable<Uint8Array>
}

export type ContainerKind = 'zip' | TarCoding

const endings: readonly (readonly [RegExp, ContainerKind])[] = [
  [/\.zip$/i, 'zip'],
  [/\.tar$/i, 'tar'],
  [/\.(tar\.gz|tgz)$/i, 'tar.gz'],
  [/\.(tar\.bz2|tbz2?|bz2)$/i, 'tar.bz2'],
]

/** By the ending of its name (reference ingest §2.2); undefined for any other. */
export const containerKind = (name: string): ContainerKind | undefined =>
  endings.find(([ending]) => ending.test(name))?.[1]

/** Known, and refused by name. */
export const isSevenZip = (name: string): boolean => /\.7z$/i.test(name)

interface Container {
  readonly file: string
  readonly kind: ContainerKind
  /** Bytes. */
  readonly size: number
}

/**
 * Writes the files of a container below a folder that holds nothing yet. Nothing gets out of the folder; what is neither
 * file nor folder, and what grows beyond measure, is refused (ingest X8, X13). Throws `UnusableContent`.
 */
export const unpack = async (
  { file, kind, size }: Container,
  into: string,
  { signal, progress }: Hold,
  limits: UnpackLimits = usualLimits,
): Promise<readonly WrittenFile[]> => {
  const most = Math.min(limits.bytes, Math.max(size, 1024) * limits.ratio)
  let unpacked = 0
  const count = (bytes: number) => {
    signal.throwIfAborted()
    unpacked += bytes
    if (unpacked > most)
      throw new UnusableContent(
        `its ${size} bytes unpack to more than ${most}, which is not done: send it unpacked`,
      )
    progress()
  }
  const files: WrittenFile[] = []
  for await (const { path, bytes } of kind === 'zip' ? readZip(file) : readTar(file, kind)) {
    signal.throwIfAborted()
    if (files.length === limits.files) throw new UnusableContent(`it holds more than ${limits.files} files`)
    files.push(await writeFileBelow(into, path, bytes, count))
  }
  if (files.length === 0) throw new UnusableContent('it holds no file')
  return files
}
