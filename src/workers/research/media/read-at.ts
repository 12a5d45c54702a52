import { read } from 'node:fs'
import type { ReadBytes } from '@fonds/sound'

/** Reads the file with this descriptor. */
export const readerOf =
  (file: number): ReadBytes =>
  (length, position) =>
    new Promise((resolve, reject) => {
      read(file, Buffer.allocUnsafe(length), 0, length, position, (error, bytesRead, buffer) =>
        error ? reject(error) : resolve(buffer.subarray(0, bytesRead)),
      )
    })
