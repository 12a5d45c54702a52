import { entryForm } from '../../../../src/domain/kernel/proof/event-entry.ts'

const names = [
  ...['form', 'stream', 'revision', 'id', 'type', 'time of recording'],
  ...['SHA-256 of the data', 'SHA-256 of the metadata', 'leaf of the event before it'],
]

/** The lines of an event's entry, named; undefined for an entry of another form. `id`: where it stands there as it is. */
export const entryFacts = (
  entry: Uint8Array,
):
  | { readonly facts: readonly (readonly [string, string])[]; readonly id: string | undefined }
  | undefined => {
  const lines = new TextDecoder().decode(entry).split('\n')
  if (lines[0] !== entryForm || lines.length !== names.length + 1 || lines.at(-1) !== '') return undefined
  const facts = names.map((name, i) => [name, textIn(lines[i]!) ?? lines[i]!] as const).slice(1)
  return { facts, id: textIn(lines[3]!) }
}

/** A text that stands there as JSON; undefined for the digest of one. */
const textIn = (line: string): string | undefined => {
  try {
    const text: unknown = JSON.parse(line)
    return typeof text === 'string' ? text : undefined
  } catch {
    return undefined
  }
}
