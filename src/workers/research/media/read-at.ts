import { read } from 'node:fs'

/** So many bytes of the file with this descriptor; fewer at the end, none behind it. */
export const readAt = (file: number, length: number, position: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    read(file, Buffer.allocUnsafe(length), 0, length, position, (error, bytesRead, buffer) =>
      error ? reject(error) : resolve(buffer.subarray(0, bytesRead)),
    )
  })

/** The same of one file. */
export const readerOf =
  (file: number) =>
  (length: number, position: number): Promise<Buffer> =>
    readAt(file, length, position)
