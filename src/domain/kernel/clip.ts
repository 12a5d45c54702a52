/**
 * Cuts untrusted text to at most `longest` UTF-16 units, for a sentence or a name. The result is well formed and cut
 * between characters: UTF-8 cannot store half a surrogate pair.
 */
export const clip = (text: string, longest: number): string => {
  const whole = text.toWellFormed()
  return whole.length > longest ? `${whole.slice(0, longest - 1).replace(firstHalfAtEnd, '')}…` : whole
}

const firstHalfAtEnd = /[\ud800-\udbff]$/
