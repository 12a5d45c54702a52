/**
 * Characters that control a display instead of appearing on it: controls of both sets, lone surrogates, line and
 * paragraph separators, bidirectional marks, and the invisible ones that make two names look alike; and noncharacters
 * (U+FFFE, U+FFFF and others), which XML cannot write. The joiners of emoji and of Indic and Arabic script stay.
 */
export const unprintable =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Noncharacter_Code_Point}\u{ad}\u{200b}\u{2060}-\u{2064}\u{feff}\u{fff9}-\u{fffb}\u{e0000}-\u{e007f}]/gu

/** Escapes each unprintable character as `\u{…}` of its code point, so that a hostile name is read and not obeyed. */
export const visible = (text: string): string =>
  text.replace(unprintable, (c) => named[c] ?? `\\u{${c.codePointAt(0)?.toString(16)}}`)

const named: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }
