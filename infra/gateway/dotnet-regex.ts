/*
 * EventStoreDB's filters are regular expressions of .NET. JavaScript's differ: in what `$`, `.`, `\d`, `\w`, `\s` and `\b`
 * match, and in what there is (`\A`, `\z`, `(?i)`, `[a-z-[b]]`). This translates the one into the other, and refuses by
 * name what it does not know.
 */

/** What was refused, as a part of a sentence. */
export class UnknownRegex extends Error {}

const anything = '[\\s\\S]'
const start = `(?<!${anything})`
const end = `(?!${anything})`
const beforeLastBreak = `(?=\\n?${end})`
const word = '\\p{L}\\p{Mn}\\p{Nd}\\p{Pc}'
/** As a boundary sees it: joiners count. */
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

/** In effect at a place of the expression. */
interface Flags {
  readonly i: boolean
  readonly m: boolean
  readonly s: boolean
}

/** Throws `UnknownRegex`, and `SyntaxError` for what JavaScript refuses. */
export const dotnetRegex = (source: string): RegExp => {
  let at = 0
  let hasNames = false
  let hasNumbers = false

  const peek = (pattern: RegExp): RegExpExecArray | undefined => {
    const sticky = new RegExp(pattern.source, 'uy')
    sticky.lastIndex = at
    return sticky.exec(source) ?? undefined
  }
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    const found = peek(pattern)
    if (found) at += found[0].length
    return found
  }
  const unknown = (what: string): never => {
    throw new UnknownRegex(what)
  }

  /** What stands behind a backslash, in a class and outside of one. */
  const escaped = (): string => {
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

  const escapeOutside = (): string => {
    const anchor = take(/[AzZbB]/)
    if (anchor) return anchors[anchor[0]]!
    const back = take(/[1-9](?!\d)/)
    if (back) {
      hasNumbers = true
      return `(?:\\${back[0]})`
    }
    const named = take(/k(?:<([A-Za-z_]\w*)>|'([A-Za-z_]\w*)')/)
    return named ? `\\k<${named[1] ?? named[2]}>` : escaped()
  }

  const escapeInside = (): string => (take(/b/) ? '\\x08' : escaped())

  /** Behind `[`. */
  const charClass = (): string => {
    const not = take(/\^/) ? '^' : ''
    let items = ''
    let subtracted: string | undefined
    for (let first = true; first || !take(/\]/); first = false) {
      if (take(/-\[/)) {
        subtracted = charClass()
        if (!take(/\]/)) unknown('a class that goes on behind what is subtracted')
        break
      }
      items += member()
      if (peek(/-(?![\][])/)) {
        take(/-/)
        items += `-${member()}`
      }
    }
    return subtracted === undefined ? `[${not}${items}]` : `[[${not}${items}]--${subtracted}]`
  }
  const member = (): string =>
    take(/\\/) ? escapeInside() : literal((take(/[\s\S]/) ?? unknown('a class without its end'))[0])

  /** Behind `(`, up to its end. */
  const group = (flags: Flags): string => {
    if (take(/\?#[^)]*\)/)) return ''
    const opening = take(/\?(?::|=|!|<=|<!)/)
    if (opening) return `(${opening[0]}${alternatives(flags)})`
    const named = take(/\?(?:<([A-Za-z_]\w*)>|'([A-Za-z_]\w*)')/)
    if (named) {
      hasNames = true
      return `(?<${named[1] ?? named[2]}>${alternatives(flags)})`
    }
    const options = take(/\?([ims]*)(?:-([ims]+))?:/)
    if (options) {
      const inner = changed(flags, options)
      return `(?${inner.i ? 'i' : '-i'}:${alternatives(inner)})`
    }
    const other = peek(/\?[\s\S]{0,2}/)
    return other ? unknown(`(${other[0]}`) : `(${alternatives(flags)})`
  }

  /** Up to the end of the group. `(?i)` holds up to there, in the alternatives that follow as well. */
  const alternatives = (outer: Flags, isInGroup = true): string => {
    let flags = outer
    let wrapped = ''
    let written = ''
    while (at < source.length && !peek(/\)/)) {
      const options = take(/\(\?([ims]*)(?:-([ims]+))?\)/)
      if (options) {
        flags = changed(flags, options)
        written += wrapped && ')'
        wrapped = `(?${flags.i ? 'i' : '-i'}:`
        written += wrapped
      } else if (take(/\|/)) written += wrapped ? `)|${wrapped}` : '|'
      else written += part(flags)
    }
    if (isInGroup && !take(/\)/)) unknown('a group without its end')
    return wrapped ? `${written})` : written
  }

  const part = (flags: Flags): string => {
    if (take(/\\/)) return escapeOutside()
    if (take(/\[/)) return charClass()
    if (take(/\(/)) return group(flags)
    if (take(/\./)) return flags.s ? anything : '[^\\n]'
    if (take(/\^/)) return flags.m ? '(?<![^\\n])' : start
    if (take(/\$/)) return flags.m ? '(?![^\\n])' : beforeLastBreak
    const quantifier = take(/(?:[*+?]|\{\d+(?:,\d*)?\})\??/)
    return quantifier ? quantifier[0] : literal(take(/[\s\S]/)![0])
  }

  const translated = alternatives({ i: false, m: false, s: false }, false)
  if (at < source.length) unknown('a ) that ends no group')
  if (hasNames && hasNumbers) unknown('a number of a group beside names of groups')
  return new RegExp(translated, 'v')
}

const changed = (flags: Flags, [, on = '', off = '']: RegExpExecArray): Flags => {
  const now = (flag: 'i' | 'm' | 's') => (off.includes(flag) ? false : on.includes(flag) || flags[flag])
  return { i: now('i'), m: now('m'), s: now('s') }
}

/** A character that means itself, in a class and outside of one. */
const literal = (character: string): string =>
  /^[\p{L}\p{N}]$/u.test(character) ? character : `\\u{${character.codePointAt(0)!.toString(16)}}`
