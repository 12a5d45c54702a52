import type { Description } from '../../../domain/ingest/payload.ts'

/** Ids and description of an object. */
export interface Described {
  readonly ark: string
  readonly localIds: readonly string[]
  readonly description: Description
}

/** ERC's value for "unassigned". */
export const unknown = '(:unas)'

/** One line: kernel metadata has one line per element. */
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Kernel metadata: who, what, when, where. */
export const erc = ({ ark, localIds, description }: Described): string => {
  const { who, what, when, where } = description
  const lines = [
    'erc:',
    `who: ${oneLine(who ?? unknown)}`,
    `what: ${oneLine(what ?? unknown)}`,
    `when: ${oneLine(when ?? unknown)}`,
    `where: ${ark}`,
    ...(localIds.length > 0 ? localIds : [unknown]).map((id) => `where: ${oneLine(id)}`),
    ...(where === undefined ? [] : [`where: ${oneLine(where)}`]),
  ]
  return `${lines.join('\n')}\n`
}
