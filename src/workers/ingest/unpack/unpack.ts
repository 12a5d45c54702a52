import type { TakeRoom } from '../../runtime/room.ts'
import { UnusableContent } from '../files/write-file.ts'
import { createBound, type UnpackLimits, usualLimits } from './bound.ts'
import type { ContainerKind } from './container.ts'
import { decoded } from './decoded.ts'
import { readTar } from './tar.ts'
import { type UnpackedFile, writeEntry } from './write-entry.ts'
import { readZip } from './zip.ts'

export interface Container {
  readonly file: string
  readonly kind: ContainerKind
  /** Bytes. */
  readonly size: number
  /** A folder that is empty or missing. */
  readonly into: string
  readonly limits?: UnpackLimits
}

/**
 * Runs in a thread of its own: writes the files of a container, and yields each when it is written. No path leaves the
 * folder; entries that are neither files nor folders, and content above the limits, are rejected (ingest X8, X13).
 * `breathe` is awaited between pieces of 64 KiB at most, and may throw. Throws `UnusableContent` and `NoRoom`.
 */
export async function* unpack(
  { file, kind, size, into, limits = usualLimits }: Container,
  breathe: () => Promise<void>,
  takeRoom: TakeRoom,
): AsyncGenerator<UnpackedFile> {
  const bound = createBound(size, limits, breathe)
  const entries = kind === 'zip' ? readZip(file, bound) : readTar(bound(decoded[kind](file)), kind)
  let files = 0
  for await (const entry of entries) {
    await breathe()
    if (files === limits.files) throw new UnusableContent(`it holds more than ${limits.files} files`)
    yield await writeEntry(into, entry, takeRoom)
    files++
  }
  if (files === 0) throw new UnusableContent('it holds no file')
}
