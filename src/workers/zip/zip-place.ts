/** Bytes that hold a zip, read by calls that block. */
export interface ZipBytes {
  readonly size: number
  /** Fills the buffer from an offset on. Returns the number of bytes, 0 at the end. */
  read(offset: number, buffer: Buffer): number
}

/** Place of a zip in a file that may hold other bytes before and behind it. */
export interface ZipPlace {
  /** Byte from which the zip counts its offsets. */
  readonly from: number
  /** Byte behind its end record and comment. */
  readonly to: number
}

const endBytes = 22
const locatorBytes = 20
const record64Bytes = 56
/** The usual place of the end record, then that of a zip with other bytes behind it. */
const tails = [endBytes + locatorBytes + 0xffff, 1024 ** 2]

/**
 * Finds the zip in a file by its last end record whose directory is there. A program that unpacks itself lies
 * before it and is not counted in its offsets; bytes of a faulty transfer may lie behind it. Undefined if there is
 * none. Blocks its thread.
 */
export const findZip = (file: ZipBytes): ZipPlace | undefined => {
  const { size } = file
  for (const [i, most] of tails.entries()) {
    if (i > 0 && size <= tails[i - 1]!) return undefined
    const length = Math.min(most, size)
    const tail = readAt(file, size - length, length)
    for (
      let at = tail.lastIndexOf(endMark);
      at >= 0;
      at = at === 0 ? -1 : tail.lastIndexOf(endMark, at - 1)
    ) {
      const place = placeBefore(file, size - length + at)
      if (place) return place
    }
  }
  return undefined
}

const endMark = Buffer.from('PK\x05\x06', 'latin1')
const directoryMark = Buffer.from('PK\x01\x02', 'latin1')
const locatorMark = Buffer.from('PK\x06\x07', 'latin1')
const record64Mark = Buffer.from('PK\x06\x06', 'latin1')

/** The zip that ends with this record; undefined if its directory is not there. */
const placeBefore = (file: ZipBytes, end: number): ZipPlace | undefined => {
  const record = readAt(file, end, endBytes)
  if (record.length < endBytes) return undefined
  const to = Math.min(file.size, end + endBytes + record.readUInt16LE(20))
  const directory = directory64(file, end) ?? {
    end,
    size: record.readUInt32LE(12),
    offset: record.readUInt32LE(16),
  }
  const begin = directory.end - directory.size
  const from = begin - directory.offset
  if (directory.size === 0) return from >= 0 ? { from, to } : undefined
  if (from >= 0 && hasMark(file, begin, directoryMark)) return { from, to }
  // Something lies between the directory and its end record.
  return hasMark(file, directory.offset, directoryMark) ? { from: 0, to } : undefined
}

interface Directory {
  /** Byte behind it. */
  readonly end: number
  /** Bytes. */
  readonly size: number
  /** As the zip counts. */
  readonly offset: number
}

/** The directory by the records of ZIP64, if the zip has them. */
const directory64 = (file: ZipBytes, end: number): Directory | undefined => {
  const locator = end < locatorBytes ? Buffer.alloc(0) : readAt(file, end - locatorBytes, locatorBytes)
  if (!locator.subarray(0, 4).equals(locatorMark)) return undefined
  const noted = Number(locator.readBigUInt64LE(8))
  const at = [end - locatorBytes - record64Bytes, noted].find((one) => hasMark(file, one, record64Mark))
  const record = at === undefined ? Buffer.alloc(0) : readAt(file, at, record64Bytes)
  if (at === undefined || record.length < record64Bytes) return undefined
  return { end: at, size: Number(record.readBigUInt64LE(40)), offset: Number(record.readBigUInt64LE(48)) }
}

const hasMark = (file: ZipBytes, at: number, mark: Buffer): boolean =>
  Number.isSafeInteger(at) && at >= 0 && readAt(file, at, mark.length).equals(mark)

/** Fewer bytes at the end of the file. */
const readAt = (file: ZipBytes, at: number, length: number): Buffer => {
  const bytes = Buffer.alloc(Math.max(0, Math.min(length, file.size - at)))
  let done = 0
  while (done < bytes.length) {
    const read = file.read(at + done, bytes.subarray(done))
    if (read === 0) break
    done += read
  }
  return bytes.subarray(0, done)
}
