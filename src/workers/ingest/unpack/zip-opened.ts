import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import yauzl from 'yauzl'
import { openedZip, zipIn, zipOptions } from '../../zip/open-zip.ts'
import { findZip, type ZipBytes } from '../../zip/zip-place.ts'

/** Bytes of a file that are not of the zip in it. */
export interface BytesAround {
  readonly before: number
  readonly behind: number
}

interface OpenedZip {
  readonly zip: yauzl.ZipFile
  /** `first`: the offset of the first file in the zip. */
  readonly around: (first: number) => BytesAround
}

/** Opens the zip in a file; its `close` closes the file. Rejects with the error of the disk, or of yauzl. */
export const openZip = async (path: string): Promise<OpenedZip> => {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const bytes: ZipBytes = {
      size,
      read: (offset, buffer) => readSync(file, buffer, 0, buffer.length, offset),
    }
    // yauzl has the sentence on what is missing where there is none.
    const place = findZip(bytes) ?? { from: 0, to: size }
    const { from, to } = place
    const isMarked = isSpanningMark(bytes, from)
    const zip =
      from === 0 && to === size
        ? await openedZip((done) => yauzl.fromFd(file, zipOptions, done))
        : await zipIn(bytes, place, () => closeSync(file))
    return {
      zip,
      around: (first) => {
        const before = from + (first > to ? 0 : first)
        return { before: isMarked ? Math.max(0, before - spanningMarkBytes) : before, behind: size - to }
      },
    }
  } catch (error) {
    closeSync(file)
    throw error
  }
}

const spanningMarkBytes = 4

/** A zip that was to be of several parts, and is of one, begins with a mark of them. */
const isSpanningMark = (file: ZipBytes, at: number): boolean => {
  const mark = Buffer.alloc(spanningMarkBytes)
  file.read(at, mark)
  return ['PK\x07\x08', 'PK00'].includes(mark.toString('latin1'))
}
