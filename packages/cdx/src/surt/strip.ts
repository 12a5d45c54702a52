/* Regular expressions would take quadratic time for long runs that are not at an end. */

/** Removes those of the characters that the text begins with. */
export const withoutStart = (text: string, characters: string): string => {
  let from = 0
  while (from < text.length && characters.includes(text.charAt(from))) from++
  return text.slice(from)
}

/** Removes those of the characters that the text ends with. */
export const withoutEnd = (text: string, characters: string): string => {
  let to = text.length
  while (to > 0 && characters.includes(text.charAt(to - 1))) to--
  return text.slice(0, to)
}
