import { Readable } from 'node:stream'
import yauzl from 'yauzl'
import type { ZipBytes, ZipPlace } from './zip-place.ts'

export const zipOptions = {
  lazyEntries: true,
  autoClose: false,
  decodeStrings: false,
  validateEntrySizes: true,
}

type Done = (error: Error | null, zip: yauzl.ZipFile) => void

/** Rejects with the error of the disk, or of yauzl. */
export const openedZip = (open: (done: Done) => void): Promise<yauzl.ZipFile> =>
  new Promise((resolve, reject) => open((error, zip) => (error ? reject(error) : resolve(zip))))

/** Opens a zip that lies within bytes: its offsets count from the place's. Blocks its thread while it reads. */
export const zipIn = (bytes: ZipBytes, { from, to }: ZipPlace, close: () => void): Promise<yauzl.ZipFile> =>
  openedZip((done) =>
    yauzl.fromRandomAccessReader(new ZipReader(bytes, from, close), to - from, zipOptions, done),
  )

/** The next entry of the directory; undefined behind the last. Rejects with the error of the disk, or of yauzl. */
export const nextEntry = (zip: yauzl.ZipFile): Promise<yauzl.Entry | undefined> =>
  new Promise((resolve, reject) => {
    const done = () => {
      for (const event of ['entry', 'end', 'error']) zip.removeAllListeners(event)
    }
    zip.once('entry', (entry: yauzl.Entry) => {
      done()
      resolve(entry)
    })
    zip.once('end', () => {
      done()
      resolve(undefined)
    })
    zip.once('error', (error: Error) => {
      done()
      reject(error)
    })
    zip.readEntry()
  })

const pieceBytes = 64 * 1024

function* pieces(bytes: ZipBytes, from: number, to: number): Generator<Buffer> {
  for (let at = from; at < to; ) {
    const piece = Buffer.allocUnsafeSlow(Math.min(pieceBytes, to - at))
    const read = bytes.read(at, piece)
    if (read === 0) return
    yield piece.subarray(0, read)
    at += read
  }
}

class ZipReader extends yauzl.RandomAccessReader {
  readonly #bytes: ZipBytes
  readonly #from: number
  readonly #close: () => void

  constructor(bytes: ZipBytes, from: number, close: () => void) {
    super()
    this.#bytes = bytes
    this.#from = from
    this.#close = close
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(pieces(this.#bytes, this.#from + start, this.#from + end), { objectMode: false })
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null) => void,
  ): void {
    let error: Error | null = null
    try {
      for (let read = 0; read < length; ) {
        const got = this.#bytes.read(
          this.#from + position + read,
          buffer.subarray(offset + read, offset + length),
        )
        if (got === 0) throw new Error('unexpected end of file')
        read += got
      }
    } catch (thrown) {
      error = thrown as Error
    }
    setImmediate(done, error)
  }

  override close(done: (error: Error | null) => void): void {
    try {
      this.#close()
      setImmediate(done, null)
    } catch (error) {
      setImmediate(done, error as Error)
    }
  }
}
