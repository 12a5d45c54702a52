/**
 * Imports the default export of a module by its address, for a thread that must not import it statically. Throws if
 * that is no function.
 */
export const importFactory = async <Factory>(url: string, what: string): Promise<Factory> => {
  const module: { default?: unknown } = await import(url)
  if (typeof module.default !== 'function') throw new Error(`${url}: its default export must open ${what}`)
  return module.default as Factory
}
