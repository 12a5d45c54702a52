import type { TakeRoom } from '../../runtime/room.ts'
import { UnusableContent } from '../files/write-file.ts'
import { createBound, type UnpackLimits, usualLimits } from './bound.ts'
import type { ContainerKind } from './container.ts'
import { decoded } from './decoded.ts'
import { createFolders, emptyFoldersWarning } from './empty-folders.ts'
import type { Entry } from './entry.ts'
import { readTar } from './tar.ts'
import { type UnpackedFile, writeEntry } from './write-entry.ts'
import { readZip } from './zip.ts'
import type { BytesAround } from './zip-opened.ts'

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
 * Runs in a thread of its own: writes the files of a container, and yields each when it is written. Returns sentences
 * on what the container has beside its files. No path leaves the folder; entries that are neither files nor folders,
 * and content above the limits, are rejected (ingest X8, X13). `breathe` is awaited between pieces of 64 KiB at most,
 * and may throw. Throws `UnusableContent` and `NoRoom`.
 */
export async function* unpack(
  { file, kind, size, into, limits = usualLimits }: Container,
  breathe: () => Promise<void>,
  takeRoom: TakeRoom,
): AsyncGenerator<UnpackedFile, readonly string[]> {
  const bound = createBound(size, limits, breathe)
  const entries: AsyncGenerator<Entry, BytesAround | undefined> =
    kind === 'zip' ? readZip(file, bound) : readTar(bound(decoded[kind](file)), kind)
  const folders = createFolders()
  let files = 0
  try {
    for (;;) {
      const { done, value } = await entries.next()
      if (done) {
        if (files === 0) throw new UnusableContent('it holds no file')
        return [aroundWarning(value), emptyFoldersWarning(folders.empty())].filter((one) => one !== undefined)
      }
      await breathe()
      if (files === limits.files || folders.size > limits.files)
        throw new UnusableContent(`it holds more than ${limits.files} files`)
      if ('folder' in value) folders.folder(value.folder)
      else {
        folders.file(value.path)
        yield await writeEntry(into, value, takeRoom)
        files++
      }
    }
  } finally {
    await entries.return(undefined)
  }
}

/** Undefined where the file is the container alone. */
const aroundWarning = (around: BytesAround | undefined): string | undefined => {
  if (!around || (around.before === 0 && around.behind === 0)) return undefined
  const { before, behind } = around
  const places = [
    ...(before > 0 ? [`${before} bytes before it`] : []),
    ...(behind > 0 ? [`${behind} bytes behind it`] : []),
  ]
  return `the file is more than the zip in it: ${places.join(' and ')} are not kept`
}
