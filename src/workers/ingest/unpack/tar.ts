import { type Bytes, bytesOf } from '@fonds/bytes'
import { isSystemError } from '@fonds/toolbox'
import { errorMessage } from '../../../async/errors.ts'
import { UnusableContent } from '../files/write-file.ts'
import type { TarCoding } from './container.ts'
import { type Entry, withoutDot } from './entry.ts'
import { blockBytes, readHeader, readPax, type TarHeader, textOf } from './tar-header.ts'

/** Reads files and folders of a tar, in its order; `kind` is its name in errors. Throws `UnusableContent`. */
export async function* readTar(
  source: AsyncIterable<Uint8Array>,
  kind: TarCoding,
): AsyncGenerator<Entry, undefined> {
  try {
    yield* entriesOf(bytesOf(source))
  } catch (error) {
    // A disk that is full or unavailable says nothing about the container.
    if (error instanceof UnusableContent || isSystemError(error)) throw error
    throw new UnusableContent(`it is no ${kind} that can be read to its end: ${errorMessage(error)}`)
  }
  return undefined
}

async function* entriesOf(bytes: Bytes): AsyncGenerator<Entry> {
  const described = createDescriptions(bytes)
  let isEnded = true
  for (let block = await bytes.take(blockBytes); block.length > 0; block = await bytes.take(blockBytes)) {
    if (block.length < blockBytes) throw new Error('it ends in the middle of a header')
    const header = readHeader(block)
    isEnded = header === undefined
    if (!header || (await described.take(header))) continue
    const { name, size, isSparse } = described.apply(header)
    const path = withoutDot(textOf(name))
    if (isFolder(header, path)) {
      await skip(bytes, size, path)
      yield { folder: path }
    } else {
      const kind = header.type === '0' || header.type === '7' ? undefined : (kinds[header.type] ?? unknown)
      if (kind) throw new UnusableContent(`it holds ${kind}: ${path}`)
      if (isSparse) throw new UnusableContent(`it holds ${sparse}: ${path}`)
      const content = contentOf(bytes, size, path)
      yield { path, bytes: content }
      for await (const _ of content);
      await bytes.skip(padding(size))
    }
  }
  // Only this distinguishes a tar truncated between two files from a complete one.
  if (!isEnded)
    throw new UnusableContent('it does not end as a tar does: a part of it may be missing; send it whole')
}

const isFolder = ({ type }: TarHeader, path: string): boolean =>
  type === '5' || (type === '0' && path.endsWith('/'))

/** Its holes are left out, and their list is written as if it were content. */
const sparse = 'a sparse file'
const unknown = 'something that is no file'

const kinds: Readonly<Record<string, string>> = {
  '1': 'a hard link',
  '2': 'a symbolic link',
  '3': 'a device',
  '4': 'a device',
  '6': 'a pipe',
  S: sparse,
}

const padding = (size: number): number => (blockBytes - (size % blockBytes)) % blockBytes

async function* contentOf(bytes: Bytes, size: number, path: string): AsyncGenerator<Uint8Array> {
  for (let left = size; left > 0; ) {
    const piece = await bytes.some(left)
    if (piece.length === 0)
      throw new UnusableContent(`it ends in the middle of ${path}, after ${size - left} of ${size} bytes`)
    left -= piece.length
    yield piece
  }
}

const skip = async (bytes: Bytes, size: number, path: string): Promise<void> => {
  for await (const _ of contentOf(bytes, size, path));
  await bytes.skip(padding(size))
}

/** Bytes; a path has 4,096 at most. */
const maxDescription = 1024 ** 2

interface Described {
  readonly name: Buffer
  readonly size: number
  readonly isSparse: boolean
}

/** Collects the pax and GNU blocks before a header, which extend it. */
const createDescriptions = (bytes: Bytes) => {
  let pax: ReadonlyMap<string, Buffer> = new Map()
  let forAll: ReadonlyMap<string, Buffer> = new Map()
  let longName: Buffer | undefined

  const content = async ({ size }: TarHeader): Promise<Buffer> => {
    if (size > maxDescription) throw new Error(`a header has ${size} bytes; ${maxDescription} are the most`)
    const whole = Buffer.from(await bytes.take(size))
    if (whole.length < size) throw new Error('it ends in the middle of a header')
    await bytes.skip(padding(size))
    return whole
  }

  return {
    /** True if the header describes another entry. */
    take: async (header: TarHeader): Promise<boolean> => {
      if (header.type === 'x') pax = readPax(await content(header))
      else if (header.type === 'g') forAll = new Map([...forAll, ...readPax(await content(header))])
      else if (header.type === 'L') longName = untilNul(await content(header))
      // Target of a link: links are rejected.
      else if (header.type === 'K') await content(header)
      else return false
      return true
    },
    apply: (header: TarHeader): Described => {
      const records = new Map([...forAll, ...pax])
      // An empty value revokes the global one.
      const value = (name: string) => (records.get(name)?.length ? records.get(name) : undefined)
      const size = value('size')?.toString('latin1')
      if (size !== undefined && !/^\d{1,15}$/.test(size)) throw new Error('an extended header has no size')
      const described = {
        name: value('path') ?? longName ?? header.name,
        size: size === undefined ? header.size : Number(size),
        isSparse: [...records.keys()].some((name) => name.startsWith('GNU.sparse.')),
      }
      pax = new Map()
      longName = undefined
      return described
    },
  }
}

const untilNul = (name: Buffer): Buffer => {
  const end = name.indexOf(0)
  return end < 0 ? name : name.subarray(0, end)
}
