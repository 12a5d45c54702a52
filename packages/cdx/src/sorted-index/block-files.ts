import { type FileHandle, open } from 'node:fs/promises'

/** Reads files at any offset. A bounded number stays open; a file is closed after its last read. */
export interface BlockFiles {
  /** Reads bytes from an offset on; fewer at the end of the file. */
  read(path: string, offset: number, length: number): Promise<Buffer>
  close(): Promise<void>
}

interface OpenFile {
  readonly handle: Promise<FileHandle>
  readers: number
  isDropped: boolean
}

export const createBlockFiles = (maxOpen: number): BlockFiles => {
  /** In the order of use: the one used last is the last. */
  const files = new Map<string, OpenFile>()

  const drop = async (path: string, file: OpenFile): Promise<void> => {
    if (files.get(path) === file) files.delete(path)
    file.isDropped = true
    if (file.readers === 0) await closeFile(file)
  }

  const use = (path: string): OpenFile => {
    const file = files.get(path) ?? { handle: open(path, 'r'), readers: 0, isDropped: false }
    files.delete(path)
    files.set(path, file)
    for (const [oldest, other] of files) {
      if (files.size <= maxOpen) break
      void drop(oldest, other)
    }
    return file
  }

  return {
    read: async (path, offset, length) => {
      const file = use(path)
      file.readers++
      try {
        const handle = await file.handle
        const bytes = Buffer.allocUnsafe(length)
        const { bytesRead } = await handle.read(bytes, 0, length, offset)
        return bytes.subarray(0, bytesRead)
      } catch (error) {
        void drop(path, file)
        throw error
      } finally {
        file.readers--
        if (file.isDropped && file.readers === 0) void closeFile(file)
      }
    },
    close: async () => {
      await Promise.all([...files].map(([path, file]) => drop(path, file)))
    },
  }
}

/** A file that could not be opened needs no closing. */
const closeFile = async (file: OpenFile): Promise<void> => {
  const handle = await file.handle.catch(() => undefined)
  await handle?.close()
}
