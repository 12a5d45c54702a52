/** Words parted by blanks; those with blanks in them stand in quotes. Undefined where a quote does not end. */
export const wordsOf = (line: string): readonly string[] | undefined => {
  const words = [...line.matchAll(/\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))(?=\s|$)/gy)]
  const length = words.reduce((sum, [whole]) => sum + whole.length, 0)
  return words.length > 0 && line.slice(length).trim() === ''
    ? words.map(([, double, single, plain]) => double ?? single ?? plain ?? '')
    : undefined
}

export const isService = (setting: string): boolean => /^https?:/i.test(setting)

/** A command line, or an address without a name and a password. */
export const isTool = (setting: string): boolean => {
  if (!isService(setting)) return wordsOf(setting) !== undefined
  if (!URL.canParse(setting)) return false
  const { username, password } = new URL(setting)
  return username === '' && password === ''
}
