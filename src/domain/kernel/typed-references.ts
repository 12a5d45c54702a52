import { mayHavePersonal, withoutReferences } from './personal.ts'

/**
 * JSON that somebody sent, in which nothing reads as a reference of the archive: no text and no name of a field. Containers are
 * changed in place. Without recursion: a message may be nested deeper than the stack.
 */
export const withoutReferencesIn = <Json>(json: Json): Json => {
  if (typeof json === 'string') return withoutReferences(json) as Json & string
  const waiting: unknown[] = [json]
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (typeof one !== 'object' || one === null) continue
    const container = one as Record<string, unknown>
    for (const name of Object.keys(container)) {
      const value = container[name]
      if (typeof value === 'string' && mayHavePersonal(value)) container[name] = withoutReferences(value)
      else if (typeof value === 'object' && value !== null) waiting.push(value)
      if (mayHavePersonal(name)) rename(container, name)
    }
  }
  return json
}

const rename = (container: Record<string, unknown>, name: string): void => {
  const other = withoutReferences(name)
  if (other === name) return
  container[other] = container[name]
  delete container[name]
}
