/** Every `$ref` in the document that leads to nothing in it. */
export const brokenReferences = (document: unknown): string[] =>
  referencesIn(document).filter((reference) => resolve(document, reference) === undefined)

const referencesIn = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, child]) =>
    name === '$ref' && typeof child === 'string' ? [child] : referencesIn(child),
  )
}

const resolve = (document: unknown, reference: string): unknown => {
  if (!reference.startsWith('#/')) return undefined
  return reference
    .slice(2)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], document)
}
