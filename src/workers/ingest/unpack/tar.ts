import { createReadStream } from 'node:fs'
import { pipeline, Transform } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'
import { extract, type Header } from 'tar-stream'
import bunzip from 'unbzip2-stream'
import { errorMessage } from '../../../async/errors.ts'
import { UnusableContent } from '../files/write-file.ts'
import type { Entry } from './unpack.ts'

export type TarCoding = 'tar' | 'tar.gz' | 'tar.bz2'

/** The files of a tar, packed or not, in its order. Throws `UnusableContent`. */
export async function* readTar(file: string, coding: TarCoding): AsyncGenerator<Entry> {
  const entries = extract()
  const source = createReadStream(file)
  let failure: Error | undefined
  const end = endOf()
  const unpacked = coding === 'tar' ? [source] : [source, unpackerOf(coding)]
  pipeline([...unpacked, end.watch, entries as unknown as NodeJS.WritableStream], (error) => {
    failure ??= error ?? undefined
  })
  /** Of streams that broke together, the first says why. */
  const reasonFor = async (error: unknown): Promise<unknown> => {
    await setImmediate()
    const why = failure ?? error
    if (error instanceof UnusableContent) return error
    return isOfSystem(why)
      ? why
      : new UnusableContent(`it is no ${coding} that can be read to its end: ${errorMessage(why)}`)
  }
  /** All of it: a tar may end in the midst of a file. */
  async function* bytesOf(entry: AsyncIterable<Uint8Array>, header: Header): AsyncGenerator<Uint8Array> {
    let seen = 0
    try {
      for await (const chunk of entry) {
        seen += chunk.length
        yield chunk
      }
    } catch (error) {
      throw await reasonFor(error)
    }
    if (seen !== header.size)
      throw new UnusableContent(
        `it ends in the midst of ${nameOf(header)}, after ${seen} of ${header.size} bytes`,
      )
  }

  try {
    for await (const entry of entries) {
      const { header } = entry
      if (header.type === 'directory') {
        entry.resume()
        continue
      }
      if (header.type !== 'file' && header.type !== 'contiguous-file')
        throw new UnusableContent(
          `it holds ${kinds[header.type ?? ''] ?? 'something that is no file'}: ${nameOf(header)}`,
        )
      if (isSparse(header)) throw new UnusableContent(`it holds a sparse file: ${nameOf(header)}`)
      yield { path: nameOf(header), bytes: bytesOf(entry as AsyncIterable<Uint8Array>, header) }
    }
    if (failure) throw failure
    if (!end.isMarked())
      throw new UnusableContent('it does not end as a tar does: a part of it may be missing; send it whole')
  } catch (error) {
    throw await reasonFor(error)
  } finally {
    source.destroy()
    entries.destroy()
  }
}

const unpackerOf = (coding: 'tar.gz' | 'tar.bz2') =>
  coding === 'tar.gz' ? createGunzip() : (bunzip() as unknown as NodeJS.ReadWriteStream)

const blockBytes = 512

/** A tar that is cut between two files looks like a whole one, but for the block of zeros that ends it. */
const endOf = () => {
  let last: Uint8Array = new Uint8Array()
  return {
    watch: new Transform({
      transform: (chunk: Uint8Array, _, done) => {
        const all = chunk.length < blockBytes ? Buffer.concat([last, chunk]) : chunk
        last = all.subarray(-blockBytes)
        done(null, chunk)
      },
    }),
    /** Or there was nothing at all. */
    isMarked: () => last.every((byte) => byte === 0),
  }
}

/** Its holes are left out, and the list of them is written as if it were content. */
const isSparse = ({ pax }: Header): boolean =>
  Object.keys(pax ?? {}).some((name) => name.startsWith('GNU.sparse.'))

/** GNU tar writes names from here on as `./name`. */
const nameOf = ({ name }: Header): string => name.replace(/^(\.\/)+/, '')

const kinds: Readonly<Record<string, string>> = {
  link: 'a hard link',
  symlink: 'a symbolic link',
  'character-device': 'a device',
  'block-device': 'a device',
  fifo: 'a pipe',
}

/** A disk that is full or away says nothing of the container. */
const isOfSystem = (error: unknown): boolean => error instanceof Error && 'syscall' in error
