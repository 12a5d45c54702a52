/**
 * A cell that a spreadsheet would run as a formula: one that begins with a sign of arithmetic (or its full-width twin),
 * also behind spaces, line breaks and characters that show nothing, which programs trim before they look.
 */
const formula = /^[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u

/** Text for a cell of CSV: a formula gets a ' in front, which makes it text. Numbers need none. */
export const cellText = (text: string): string => (formula.test(text) ? `'${text}` : text)
