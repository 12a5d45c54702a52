import { linesOf } from '@fonds/bytes'
import { declarationFile } from './lines.ts'

/** The bag declaration, bagit.txt (RFC 8493 §2.1.1). */
export interface BagDeclaration {
  /** Encoding of the other tag files, a label that `TextDecoder` takes. */
  readonly encoding: string
  /** A version before 1.0: each payload file is in at least one manifest. Later versions want it in each. */
  readonly isOld: boolean
}

export const noDeclaration: BagDeclaration = { encoding: 'utf-8', isOld: false }

/** Parses bagit.txt. Uses UTF-8 if it names no known encoding. Calls `report` with a sentence per problem. */
export const parseDeclaration = (bytes: Uint8Array, report: (problem: string) => void): BagDeclaration => {
  const text = Buffer.from(bytes).toString('utf8')
  if (text.startsWith(byteOrderMark)) report(`${declarationFile} begins with a byte order mark`)
  const [first = '', second = '', ...more] = linesOf(text)
  const version = /^BagIt-Version: *(\d+)\.(\d+) *$/.exec(first)
  const label = /^Tag-File-Character-Encoding: *(\S+) *$/.exec(second)?.[1]
  if (!version || label === undefined || more.some((line) => line !== ''))
    report(
      `${declarationFile} wants two lines: "BagIt-Version: 1.0" and "Tag-File-Character-Encoding: UTF-8"`,
    )
  const isOld = version !== null && version[1] === '0'
  if (version && !isOld && version[0].trim() !== 'BagIt-Version: 1.0')
    report(`${declarationFile} names version ${version[1]}.${version[2]}, which is not known`)
  if (label !== undefined && isEncoding(label)) return { encoding: label, isOld }
  if (label !== undefined)
    report(`${declarationFile} names the encoding ${label}, which is not known; UTF-8 is taken`)
  return { encoding: noDeclaration.encoding, isOld }
}

const byteOrderMark = '\uFEFF'

const isEncoding = (label: string): boolean => {
  try {
    new TextDecoder(label)
    return true
  } catch {
    return false
  }
}
