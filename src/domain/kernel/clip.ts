/**
 * At most `longest` UTF-16 units of a text that a message brought along, for a sentence or a name. What comes out is well
 * formed, and cut between characters: half a surrogate pair is no text to UTF-8, and an event with one in it could not be
 * kept.
 */
export const clip = (text: string, longest: number): string => {
  const whole = text.toWellFormed()
  return whole.length > longest ? `${whole.slice(0, longest - 1).replace(firstHalfAtEnd, '')}…` : whole
}

const firstHalfAtEnd = /[\ud800-\udbff]$/
