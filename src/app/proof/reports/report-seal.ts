import { fromBase64, toBase64 } from '@fonds/tlog'
import { emptyTree, leafHash } from '@fonds/tlog/compute'
import { decodeUtf8 } from '../../../domain/kernel/json-text.ts'
import type { Statement } from '../views/statement.ts'

/*
 * A report that carries its proof is a page in HTML: its lines, a paragraph with their root, and a comment with the event that states
 * them. The paragraph and the comment have one form, so that nothing stands in the page that no line of it is.
 */

const form = 'fonds.report-proof/v1'
const end =
  /^([\s\S]*\n)<p>Sealed: <code>([A-Za-z0-9+/]{43}=)<\/code> is the root of the lines above\.<\/p>\n<!-- fonds\.report-proof\/v1 ([A-Za-z0-9+/]+={0,2}) -->\n$/

export interface LinesOfPage {
  readonly lines: number
  /** Base64. */
  readonly root: string
}

/** Root of the lines of a text, each without its line feed. */
export const rootOfLines = (text: string): LinesOfPage => {
  const tree = emptyTree()
  for (const line of text.split('\n').slice(0, -1)) tree.append(leafHash(Buffer.from(line)))
  return { lines: Number(tree.size), root: toBase64(tree.root()) }
}

/** A page without its last tags, which HTML lets a writer leave out, and with a note below. */
export const openPage = (page: string, note: string): string =>
  `${page.replace(/\s*<\/body>\s*<\/html>\s*$/, '')}\n${note}\n`

export const withProof = (lines: string, root: string, statement: Statement): string =>
  `${lines}<p>Sealed: <code>${root}</code> is the root of the lines above.</p>\n<!-- ${form} ${Buffer.from(
    JSON.stringify(statement),
  ).toString('base64')} -->\n`

/** The lines of a report, the root that it shows, and its statement as JSON; undefined if it carries no proof in its form. */
export const partsOfReport = (
  text: string,
): { readonly lines: string; readonly root: string; readonly statement: string } | undefined => {
  const [, lines, root, proof] = end.exec(text) ?? []
  const bytes = fromBase64(proof ?? '')
  const statement = bytes && decodeUtf8(bytes)
  return lines === undefined || root === undefined || statement === undefined
    ? undefined
    : { lines, root, statement }
}

export const isReport = (text: string): boolean => text.includes(`<!-- ${form} `)
