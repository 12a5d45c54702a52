/**
 * Splits a line at blanks; words that contain blanks are quoted. Undefined if a quote is not closed, or there is no
 * word.
 */
export const wordsOf = (line: string): readonly string[] | undefined => {
  const words = [...line.matchAll(/\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))(?=\s|$)/gy)]
  const length = words.reduce((sum, [whole]) => sum + whole.length, 0)
  return words.length > 0 && line.slice(length).trim() === ''
    ? words.map(([, double, single, plain]) => double ?? single ?? plain ?? '')
    : undefined
}

export const isService = (setting: string): boolean => /^https?:/i.test(setting)

/** True for a command line, and for a URL without user name and password. */
export const isTool = (setting: string): boolean => {
  if (!isService(setting)) return wordsOf(setting) !== undefined
  if (!URL.canParse(setting)) return false
  const { username, password } = new URL(setting)
  return username === '' && password === ''
}
