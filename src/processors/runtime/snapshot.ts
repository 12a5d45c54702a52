import { isLeft } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import type { Logger } from 'pino'
import { UnavailableError } from '../../async/unavailable.ts'
import type { SnapshotStore } from '../../ports/snapshot-store.ts'

/** Says what was folded in: a snapshot is of one log, as it was then. */
interface SnapshotHeader {
  /** Identity of the log. */
  readonly log: string
}

/** A model as bytes, behind one line of JSON: the header. */
interface SnapshotFormat<Header extends SnapshotHeader, Model> {
  write(header: Omit<Header, 'format'>, model: Model): Iterable<Uint8Array>
  /**
   * Undefined where there is none, where it is of another version or of another log, or nonsense, and where its header does
   * not hold.
   */
  load(
    snapshots: Pick<SnapshotStore, 'load'>,
    name: string,
    log: string,
    holds: (header: Header) => boolean | Promise<boolean>,
  ): Promise<{ readonly header: Header; readonly model: Model } | undefined>
}

export const snapshotFormat = <Header extends SnapshotHeader, Model>(
  header: t.Decoder<unknown, Header>,
  {
    read,
    write,
  }: {
    /** Undefined where the model is of another version. */
    readonly read: (body: Uint8Array) => Model | undefined
    readonly write: (model: Model) => Iterable<Uint8Array>
  },
): SnapshotFormat<Header, Model> => ({
  write: (said, model) => writeHeaded({ format: 1, ...said }, write(model)),
  load: async (snapshots, name, log, holds) => {
    const bytes = await snapshots.load(name)
    const headed = bytes && readHeaded(header, bytes)
    if (!headed || headed.header.log !== log || !(await holds(headed.header))) return undefined
    const model = read(headed.body)
    return model && { header: headed.header, model }
  },
})

/** A model that was folded from the log. */
interface Folded {
  /** Events folded in that the snapshot lacks. */
  unsaved: number
}

/**
 * Saves a snapshot where at least so many events would have to be folded in anew; `parts` gives none while there is nothing
 * to be saved. Only a shortcut for the next start: where it cannot be kept that is told, and work goes on.
 */
export const saveSnapshot = async (
  { snapshots, log }: { readonly snapshots: Pick<SnapshotStore, 'save'>; readonly log: Logger },
  name: string,
  folded: Folded,
  minUnsaved: number,
  parts: () => Iterable<Uint8Array> | undefined,
): Promise<void> => {
  const bytes = folded.unsaved < minUnsaved ? undefined : parts()
  if (!bytes) return
  try {
    await snapshots.save(name, bytes)
    folded.unsaved = 0
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error
    log.warn({ err: error, part: name }, 'the next start will take longer')
  }
}

const newline = 10

function* writeHeaded(header: object, body: Iterable<Uint8Array>): Generator<Uint8Array> {
  yield Buffer.from(`${JSON.stringify(header)}\n`)
  yield* body
}

/** Undefined where the first line is not such a header. */
const readHeaded = <Header>(
  codec: t.Decoder<unknown, Header>,
  bytes: Uint8Array,
): { readonly header: Header; readonly body: Uint8Array } | undefined => {
  const end = bytes.indexOf(newline)
  if (end < 0) return undefined
  try {
    const decoded = codec.decode(JSON.parse(Buffer.from(bytes.subarray(0, end)).toString()))
    if (isLeft(decoded)) return undefined
    // Plain bytes: copies of a Buffer's parts are not what they are elsewhere.
    const body = new Uint8Array(bytes.buffer, bytes.byteOffset + end + 1, bytes.byteLength - end - 1)
    return { header: decoded.right, body }
  } catch {
    return undefined
  }
}
