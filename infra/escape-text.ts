/** The text with control, format (bidi), separator characters and the backslash as `\u{N}`. */
export const escapeText = (text: string): string =>
  text.replaceAll(/[\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (c) => `\\u{${c.codePointAt(0)?.toString(16)}}`)
