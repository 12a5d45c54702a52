import { createHash } from 'node:crypto'

/* Place of an object below the root: extensions 0003 and 0004 of OCFL. */

export const hashAndId = '0003-hash-and-id-n-tuple-storage-layout'
export const hashed = '0004-hashed-n-tuple-storage-layout'

interface Tuples {
  readonly digestAlgorithm: 'sha256' | 'sha512' | 'md5'
  /** Digits of a folder's name. */
  readonly tupleSize: number
  readonly numberOfTuples: number
}

export type LayoutConfig =
  | (Tuples & { readonly extensionName: typeof hashAndId })
  | (Tuples & { readonly extensionName: typeof hashed; readonly shortObjectRoot?: boolean })

/** Returns true if a JSON value is the configuration of a known layout. */
export const isLayoutConfig = (value: unknown): value is LayoutConfig => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const { extensionName, digestAlgorithm, tupleSize, numberOfTuples, shortObjectRoot } = value as Readonly<
    Record<string, unknown>
  >
  return (
    ['sha256', 'sha512', 'md5'].includes(String(digestAlgorithm)) &&
    typeof tupleSize === 'number' &&
    typeof numberOfTuples === 'number' &&
    (extensionName === hashAndId ||
      (extensionName === hashed && ['undefined', 'boolean'].includes(typeof shortObjectRoot)))
  )
}

export const defaultLayout: LayoutConfig = {
  extensionName: hashAndId,
  digestAlgorithm: 'sha256',
  tupleSize: 3,
  numberOfTuples: 3,
}

export const layoutDescription: Readonly<Record<LayoutConfig['extensionName'], string>> = {
  [hashAndId]:
    'Hashed n-tuples of the id, and in them a folder named by the percent-encoded id, cut off behind 100 characters.',
  [hashed]: 'Hashed n-tuples of the id, and in them a folder named by the whole digest.',
}

/** Folders from the root down to the object's own. */
export const objectFolders = (id: string, layout: LayoutConfig): readonly string[] => {
  const { digestAlgorithm, tupleSize, numberOfTuples } = layout
  const digest = createHash(digestAlgorithm).update(id, 'utf8').digest('hex')
  const parts = Array.from({ length: numberOfTuples }, (_, i) =>
    digest.slice(i * tupleSize, (i + 1) * tupleSize),
  )
  if (layout.extensionName === hashAndId) return [...parts, encapsulation(id, digest)]
  const rest = digest.slice(numberOfTuples * tupleSize)
  return [...parts, layout.shortObjectRoot ? rest : digest]
}

const maxEncoded = 100

const encapsulation = (id: string, digest: string): string => {
  const encoded = [...Buffer.from(id, 'utf8')].map(encodeByte).join('')
  return encoded.length > maxEncoded ? `${encoded.slice(0, maxEncoded)}-${digest}` : encoded
}

const encodeByte = (byte: number): string => {
  const character = String.fromCharCode(byte)
  return /[A-Za-z0-9_-]/.test(character) ? character : `%${byte.toString(16).padStart(2, '0')}`
}
