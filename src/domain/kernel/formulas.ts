/**
 * A cell that a spreadsheet would run as a formula: it begins with a sign of arithmetic, or its full-width form. Spaces,
 * line breaks and invisible characters may stand before it: spreadsheets trim them.
 */
const formula = /^[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u

/** Text for a cell of CSV: a formula gets a ' in front, which makes it text. Numbers need none. */
export const cellText = (text: string): string => (formula.test(text) ? `'${text}` : text)
