import { close, closeSync, fstatSync, openSync, read, readSync } from 'node:fs'
import { Readable } from 'node:stream'
import yauzl from 'yauzl'
import { findZip } from './zip-place.ts'

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

const options = { lazyEntries: true, autoClose: false, decodeStrings: false, validateEntrySizes: true }

/** Opens the zip in a file; its `close` closes the file. Rejects with the error of the disk, or of yauzl. */
export const openZip = async (path: string): Promise<OpenedZip> => {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    // yauzl has the sentence on what is missing where there is none.
    const { from, to } = findZip(file, size) ?? { from: 0, to: size }
    const isMarked = isSpanningMark(file, from)
    const zip = await opened((done) =>
      from === 0 && to === size
        ? yauzl.fromFd(file, options, done)
        : yauzl.fromRandomAccessReader(new ZipReader(file, from), to - from, options, done),
    )
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

type Done = (error: Error | null, zip: yauzl.ZipFile) => void

const opened = (open: (done: Done) => void): Promise<yauzl.ZipFile> =>
  new Promise((resolve, reject) => open((error, zip) => (error ? reject(error) : resolve(zip))))

const spanningMarkBytes = 4

/** A zip that was to be of several parts, and is of one, begins with a mark of them. */
const isSpanningMark = (file: number, at: number): boolean => {
  const mark = Buffer.alloc(spanningMarkBytes)
  readSync(file, mark, 0, spanningMarkBytes, at)
  return ['PK\x07\x08', 'PK00'].includes(mark.toString('latin1'))
}

const pieceBytes = 64 * 1024

/** Blocks its thread. */
function* pieces(file: number, from: number, to: number): Generator<Buffer> {
  for (let at = from; at < to; ) {
    const piece = Buffer.allocUnsafeSlow(Math.min(pieceBytes, to - at))
    const bytes = readSync(file, piece, 0, piece.length, at)
    if (bytes === 0) return
    yield piece.subarray(0, bytes)
    at += bytes
  }
}

/** Lets yauzl read a zip that lies within an open file: its offsets count from byte `from`. */
class ZipReader extends yauzl.RandomAccessReader {
  readonly #file: number
  readonly #from: number

  constructor(file: number, from: number) {
    super()
    this.#file = file
    this.#from = from
  }

  override _readStreamForRange(start: number, end: number): Readable {
    // A stream of `node:fs` closes the file when it is destroyed.
    return Readable.from(pieces(this.#file, this.#from + start, this.#from + end), { objectMode: false })
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null) => void,
  ): void {
    read(this.#file, buffer, offset, length, this.#from + position, (error, bytesRead) => {
      done(error ?? (bytesRead < length ? new Error('unexpected end of file') : null))
    })
  }

  override close(done: (error: Error | null) => void): void {
    close(this.#file, (error) => done(error ?? null))
  }
}
