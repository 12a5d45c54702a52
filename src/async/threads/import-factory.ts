/** What a module of another room exports by default, for a thread that is given its address. Throws where that is no function. */
export const importFactory = async <Factory>(url: string, what: string): Promise<Factory> => {
  const module: { default?: unknown } = await import(url)
  if (typeof module.default !== 'function') throw new Error(`${url}: its default export must open ${what}`)
  return module.default as Factory
}
