import { fromBase64 } from './base64.ts'
import { toHex } from './bytes.ts'
import { InvalidNote } from './errors.ts'

/* Trust policies: which logs and witnesses somebody believes, and how many of them are enough, as c2sp.org/tlog-policy has them. */

/** A verifier key as the policy writes it, and where its holder answers. */
export interface TrustedKey {
  readonly key: string
  readonly url?: string
}

/** A key of a log that another took the place of. */
export interface RetiredKeyLine {
  readonly key: string
  /** Leaves of the largest head for which it is believed alone. */
  readonly until: bigint
}

export interface Policy {
  readonly logs: readonly TrustedKey[]
  /** Lines `#retired <verifier key> <leaves>`: comments to others, who do not believe such a key at all. */
  readonly retired?: readonly RetiredKeyLine[]
  /** By the names that the policy gives them. */
  readonly witnesses: ReadonlyMap<string, TrustedKey>
  readonly groups: ReadonlyMap<string, Group>
  /** Name of a witness or a group; undefined: a log's own signature is enough. */
  readonly quorum: string | undefined
}

export interface Group {
  /** So many of the members are enough. */
  readonly least: number
  readonly members: readonly string[]
}

const none = 'none'

/** Reads a policy. Throws `InvalidNote`, which names the line. */
export const parsePolicy = (text: string): Policy => {
  const logs: TrustedKey[] = []
  const witnesses = new Map<string, TrustedKey>()
  const groups = new Map<string, Group>()
  const quorums: string[] = []
  const isDefined = (name: string) => witnesses.has(name) || groups.has(name)

  const define = (name: string | undefined, line: Line): string => {
    if (name === undefined || name === none || isDefined(name))
      throw line.wrong(`${name ?? 'nothing'} cannot be defined here, or not again`)
    return name
  }

  for (const line of linesOf(text)) {
    const [keyword, ...words] = line.words
    if (keyword === 'log') logs.push(trusted(line, words))
    else if (keyword === 'witness') {
      const [name, ...rest] = words
      witnesses.set(define(name, line), trusted(line, rest))
    } else if (keyword === 'group') {
      const [name, least = '', ...members] = words
      const group = { least: leastOf(least, members.length, line), members }
      const unknown = members.find((member) => !isDefined(member))
      if (unknown !== undefined) throw line.wrong(`${unknown} is defined nowhere before`)
      if (new Set(members).size < members.length) throw line.wrong('a member stands there twice')
      groups.set(define(name, line), group)
    } else if (keyword === 'quorum') {
      const [name, ...more] = words
      if (name === undefined || more.length > 0) throw line.wrong('a quorum has one name')
      if (name !== none && !isDefined(name)) throw line.wrong(`${name} is defined nowhere before`)
      quorums.push(name)
    } else throw line.wrong(`${keyword} is no word of a policy; there are log, witness, group and quorum`)
  }
  if (quorums.length !== 1) throw new InvalidNote(`has ${quorums.length} lines with a quorum, not one`)
  for (const keys of [logs, [...witnesses.values()]]) expectDifferent(keys)
  const retired = retiredIn(text)
  return {
    logs,
    ...(retired.length > 0 && { retired }),
    witnesses,
    groups,
    quorum: quorums[0] === none ? undefined : quorums[0],
  }
}

/** Returns whether these witnesses are enough. `cosigned`: names of those that cosigned. */
export const isQuorum = ({ groups, quorum }: Policy, cosigned: ReadonlySet<string>): boolean => {
  const has = (name: string): boolean => {
    const group = groups.get(name)
    return group ? group.members.filter(has).length >= group.least : cosigned.has(name)
  }
  return quorum === undefined || has(quorum)
}

const retiredIn = (text: string): readonly RetiredKeyLine[] =>
  [...text.matchAll(/^#retired[ \t]+(\S+)[ \t]+(\d{1,18})[ \t]*$/gm)].map(([, key = '', until = '']) => ({
    key,
    until: BigInt(until),
  }))

interface Line {
  readonly words: readonly string[]
  wrong(reason: string): InvalidNote
}

const linesOf = (text: string): readonly Line[] => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what the format forbids.
  if (/[\x00-\x08\x0b-\x1f\x7f]/.test(text)) throw new InvalidNote('has control characters')
  return text.split('\n').flatMap((line, i) => {
    const words = line.split(/[ \t]+/).filter((word) => word !== '')
    if (words.length === 0 || words[0]!.startsWith('#')) return []
    return [{ words, wrong: (reason: string) => new InvalidNote(`is wrong in line ${i + 1}: ${reason}`) }]
  })
}

const trusted = (line: Line, [key, url, ...more]: readonly string[]): TrustedKey => {
  if (key === undefined || more.length > 0)
    throw line.wrong('it wants a verifier key, and may have an address')
  return { key, ...(url !== undefined && { url }) }
}

const leastOf = (least: string, members: number, line: Line): number => {
  if (members === 0) throw line.wrong('a group has at least one member')
  if (least === 'any') return 1
  if (least === 'all') return members
  const count = /^[1-9]\d*$/.test(least) ? Number(least) : 0
  if (count < 1 || count > members)
    throw line.wrong(`a group wants all, any, or a number from 1 to ${members}`)
  return count
}

/** The same key under another name or id counts as the same: its bytes stand behind the last plus. */
const expectDifferent = (keys: readonly TrustedKey[]): void => {
  const seen = new Set<string>()
  for (const { key } of keys) {
    // A text that is no base64 is no key: it is refused when it is read.
    const typed = fromBase64(key.slice(key.indexOf('+', key.indexOf('+') + 1) + 1))
    const bytes = typed ? toHex(typed.subarray(1)) : key
    if (seen.has(bytes)) throw new InvalidNote(`has the key ${key} twice`)
    seen.add(bytes)
  }
}
