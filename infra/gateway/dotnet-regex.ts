/*
 * EventStoreDB's filters are .NET regular expressions. JavaScript's differ: in what `$`, `.`, `\d`, `\w`, `\s` and `\b`
 * match, and in syntax (`\A`, `\z`, `(?i)`, `[a-z-[b]]`). This translates the one into the other, and rejects
 * unsupported syntax by name.
 */

/** Rejected syntax. The message is a part of a sentence. */
export class UnknownRegex extends Error {}

const anything = '[\\s\\S]'
const start = `(?<!${anything})`
const end = `(?!${anything})`
const beforeLastBreak = `(?=\\n?${end})`
const word = '\\p{L}\\p{Mn}\\p{Nd}\\p{Pc}'
/** Word characters for `\b`: joiners count. */
const joined = `[${word}\\u200c\\u200d]`
const space = '\\f\\n\\r\\t\\v\\x85\\p{Z}'

const anchors: Readonly<Record<string, string>> = {
  A: start,
  z: end,
  Z: beforeLastBreak,
  b: `(?:(?<=${joined})(?!${joined})|(?<!${joined})(?=${joined}))`,
  B: `(?:(?<=${joined})(?=${joined})|(?<!${joined})(?!${joined}))`,
}
const sets: Readonly<Record<string, string>> = {
  d: '\\p{Nd}',
  D: '\\P{Nd}',
  w: `[${word}]`,
  W: `[^${word}]`,
  s: `[${space}]`,
  S: `[^${space}]`,
}
const controls: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...'tnrfv'].map((letter) => [letter, `\\${letter}`])),
  a: '\\x07',
  e: '\\x1b',
}
const category = /^(?:L[ultmo]?|M[nce]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?|C[cfson]?)$/

/** Options in effect at a place of the expression. */
interface Flags {
  readonly i: boolean
  readonly m: boolean
  readonly s: boolean
}

/** Translates a .NET expression. Throws `UnknownRegex`, and `SyntaxError` if JavaScript rejects the result. */
export const dotnetRegex = (source: string): RegExp => {
  const reader = createReader(source)
  const translated = alternatives(reader, { i: false, m: false, s: false }, false)
  if (!reader.isAtEnd()) unknown('a ) that ends no group')
  const { hasNames, hasNumbers } = reader.groups
  if (hasNames && hasNumbers) unknown('a number of a group beside names of groups')
  return new RegExp(translated, 'v')
}

type Reader = ReturnType<typeof createReader>

/** Reads an expression from its beginning to its end. */
const createReader = (source: string) => {
  let at = 0
  const peek = (pattern: RegExp): RegExpExecArray | undefined => {
    const sticky = new RegExp(pattern.source, 'uy')
    sticky.lastIndex = at
    return sticky.exec(source) ?? undefined
  }
  return {
    /** Matches at the current place, without advancing. */
    peek,
    /** Matches at the current place, and advances behind the match. */
    take: (pattern: RegExp): RegExpExecArray | undefined => {
      const found = peek(pattern)
      if (found) at += found[0].length
      return found
    },
    isAtEnd: (): boolean => at >= source.length,
    /** Whether groups were named, or referred to by number, so far. */
    groups: { hasNames: false, hasNumbers: false },
  }
}

const unknown = (what: string): never => {
  throw new UnknownRegex(what)
}

/** Translates up to the end of the group. `(?i)` applies up to there, also in the alternatives that follow. */
const alternatives = (reader: Reader, outer: Flags, isInGroup = true): string => {
  const { take, peek } = reader
  let flags = outer
  let wrapped = ''
  let written = ''
  while (!reader.isAtEnd() && !peek(/\)/)) {
    const options = take(/\(\?([ims]*)(?:-([ims]+))?\)/)
    if (options) {
      flags = changed(flags, options)
      written += wrapped && ')'
      wrapped = `(?${flags.i ? 'i' : '-i'}:`
      written += wrapped
    } else if (take(/\|/)) written += wrapped ? `)|${wrapped}` : '|'
    else written += part(reader, flags)
  }
  if (isInGroup && !take(/\)/)) unknown('a group without its end')
  return wrapped ? `${written})` : written
}

const part = (reader: Reader, flags: Flags): string => {
  const { take } = reader
  if (take(/\\/)) return escapeOutside(reader)
  if (take(/\[/)) return charClass(reader)
  if (take(/\(/)) return group(reader, flags)
  if (take(/\./)) return flags.s ? anything : '[^\\n]'
  if (take(/\^/)) return flags.m ? '(?<![^\\n])' : start
  if (take(/\$/)) return flags.m ? '(?![^\\n])' : beforeLastBreak
  const quantifier = take(/(?:[*+?]|\{\d+(?:,\d*)?\})\??/)
  return quantifier ? quantifier[0] : literal(take(/[\s\S]/)![0])
}

/** Translates a group, from behind its `(` to its end. */
const group = (reader: Reader, flags: Flags): string => {
  const { take, peek } = reader
  if (take(/\?#[^)]*\)/)) return ''
  const opening = take(/\?(?::|=|!|<=|<!)/)
  if (opening) return `(${opening[0]}${alternatives(reader, flags)})`
  const named = take(/\?(?:<([A-Za-z_]\w*)>|'([A-Za-z_]\w*)')/)
  if (named) {
    reader.groups.hasNames = true
    return `(?<${named[1] ?? named[2]}>${alternatives(reader, flags)})`
  }
  const options = take(/\?([ims]*)(?:-([ims]+))?:/)
  if (options) {
    const inner = changed(flags, options)
    return `(?${inner.i ? 'i' : '-i'}:${alternatives(reader, inner)})`
  }
  const other = peek(/\?[\s\S]{0,2}/)
  return other ? unknown(`(${other[0]}`) : `(${alternatives(reader, flags)})`
}

/** Translates a character class, from behind its `[`. */
const charClass = (reader: Reader): string => {
  const { take, peek } = reader
  const not = take(/\^/) ? '^' : ''
  let items = ''
  let subtracted: string | undefined
  for (let first = true; first || !take(/\]/); first = false) {
    if (take(/-\[/)) {
      subtracted = charClass(reader)
      if (!take(/\]/)) unknown('a class that goes on behind what is subtracted')
      break
    }
    items += member(reader)
    if (peek(/-(?![\][])/)) {
      take(/-/)
      items += `-${member(reader)}`
    }
  }
  return subtracted === undefined ? `[${not}${items}]` : `[[${not}${items}]--${subtracted}]`
}

const member = (reader: Reader): string => {
  const { take } = reader
  if (take(/\\/)) return take(/b/) ? '\\x08' : escaped(reader)
  return literal((take(/[\s\S]/) ?? unknown('a class without its end'))[0])
}

const escapeOutside = (reader: Reader): string => {
  const { take, groups } = reader
  const anchor = take(/[AzZbB]/)
  if (anchor) return anchors[anchor[0]]!
  const back = take(/[1-9](?!\d)/)
  if (back) {
    groups.hasNumbers = true
    return `(?:\\${back[0]})`
  }
  const named = take(/k(?:<([A-Za-z_]\w*)>|'([A-Za-z_]\w*)')/)
  return named ? `\\k<${named[1] ?? named[2]}>` : escaped(reader)
}

/** Translates an escape, from behind its backslash, in a class or outside of one. */
const escaped = ({ take, peek }: Reader): string => {
  const set = take(/[dDwWsS]/)
  if (set) return sets[set[0]]!
  const property = take(/([pP])\{(\w+)\}/)
  if (property) return category.test(property[2]!) ? `\\${property[0]}` : unknown(`\\${property[0]}`)
  const control = take(/[tnrfvae]/)
  if (control) return controls[control[0]]!
  const code = take(/x[\da-fA-F]{2}|u[\da-fA-F]{4}|c[a-zA-Z]/)
  if (code) return `\\${code[0]}`
  const octal = take(/0[0-7]{0,2}/)
  if (octal) return literal(String.fromCodePoint(Number.parseInt(octal[0], 8)))
  const [letter = ''] = peek(/[\p{L}\d_]/u) ?? []
  if (letter) unknown(`\\${letter}`)
  return literal((take(/[\s\S]/) ?? unknown('\\ at its end'))[0])
}

const changed = (flags: Flags, [, on = '', off = '']: RegExpExecArray): Flags => {
  const now = (flag: 'i' | 'm' | 's') => (off.includes(flag) ? false : on.includes(flag) || flags[flag])
  return { i: now('i'), m: now('m'), s: now('s') }
}

/** A character that stands for itself, in a class or outside of one. */
const literal = (character: string): string =>
  /^[\p{L}\p{N}]$/u.test(character) ? character : `\\u{${character.codePointAt(0)!.toString(16)}}`
