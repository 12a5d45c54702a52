import { earliest, hostRanges, latest, prefixRange, surt } from '@fonds/cdx'
import { DAY } from '../../kernel/time.ts'
import type { AccessRule } from './rule.ts'

/** Returns the rule that refuses a capture; undefined if it may be seen. `time` has 14 digits. */
export type Refusal = (key: string, time: string) => AccessRule | undefined

/**
 * The most specific rule that matches a capture applies: `exact` before all others, then the one with the longest
 * prefix of the key; of equal ones `deny` before `allow`. If none matches, the capture may be seen. The cost per line
 * does not grow with the number of rules. `now` is ISO 8601 UTC. Returns undefined if nothing is refused.
 */
export const compileRules = (rules: readonly AccessRule[]): ((now: string) => Refusal | undefined) => {
  const matching = matchingRules(rules)
  return (now) => {
    const holds = holding(now)
    if (!rules.some((rule) => rule.policy === 'deny' && holds(rule))) return undefined
    const applies = applying(now)
    let lastKey: string | undefined
    let candidates: readonly AccessRule[] = []
    return (key, time) => {
      // Lines of one key are consecutive.
      if (key !== lastKey) candidates = matching(key)
      lastKey = key
      const rule = candidates.find((one) => applies(one, time))
      return rule?.policy === 'deny' ? rule : undefined
    }
  }
}

/** Returns the rules that match a key, in order of precedence. */
export const matchingRules = <Rule extends AccessRule>(
  rules: Iterable<Rule>,
): ((key: string) => readonly Rule[]) => {
  const exact = new Map<string, Rule[]>()
  const beginnings = new Map<string, Rule[]>()
  for (const rule of rules)
    if (rule.match === 'exact') add(exact, surt(rule.url), rule)
    else for (const beginning of beginningsOf(rule)) add(beginnings, beginning, rule)
  const lengths = [...new Set([...beginnings.keys()].map(({ length }) => length))].sort((a, b) => b - a)

  return (key) => [
    ...(exact.get(key) ?? []),
    ...((isPosted.test(key) && exact.get(key.slice(0, key.indexOf('?')))) || []),
    ...lengths.flatMap((length) => (length <= key.length && beginnings.get(key.slice(0, length))) || []),
  ]
}

/**
 * Matches keys of captures of requests other than GET: an `exact` rule for the address without a query applies to them,
 * too.
 */
const isPosted = /[?&]__wb_method=/

export const beginningsOf = ({ match, url }: Pick<AccessRule, 'match' | 'url'>): readonly string[] => {
  if (match === 'prefix') return [prefixRange(url).from]
  const ofHost = hostRanges(surt(url)).map(({ from }) => from)
  const beneath = ofHost.length > 1 ? ofHost.slice(0, 1).map((own) => `${own.slice(0, -1)},`) : []
  return match === 'domain' ? [...ofHost, ...beneath] : ofHost
}

/** Puts `deny` before `allow`. */
const add = <Rule extends AccessRule>(rules: Map<string, Rule[]>, key: string, rule: Rule): void => {
  const same = rules.get(key)
  if (!same) rules.set(key, [rule])
  else if (rule.policy === 'deny') same.unshift(rule)
  else same.push(rule)
}

/** Returns whether a rule is in its access period at `now`. */
export const holding = (now: string) => {
  const time = digitsOf(Date.parse(now))
  return ({ accessedFrom, accessedTo }: AccessRule): boolean =>
    (accessedFrom === undefined || time >= earliest(accessedFrom)) &&
    (accessedTo === undefined || time <= latest(accessedTo))
}

/** Returns whether a rule applies at `now` to a capture of a given time. */
export const applying = (now: string) => {
  const holds = holding(now)
  const bounds = new Map<number, string>()
  const boundOf = (days: number): string => {
    const known = bounds.get(days) ?? digitsOf(Date.parse(now) - days * DAY)
    bounds.set(days, known)
    return known
  }
  return (rule: AccessRule, time: string): boolean => {
    const { capturedFrom, capturedTo, youngerThanDays } = rule
    return (
      holds(rule) &&
      (capturedFrom === undefined || time >= earliest(capturedFrom)) &&
      (capturedTo === undefined || time <= latest(capturedTo)) &&
      (youngerThanDays === undefined || time > boundOf(youngerThanDays))
    )
  }
}

/** Returns 14 digits. A bound before the year 1 stands for an embargo without end. */
const digitsOf = (millis: number): string =>
  millis < Date.parse('0001-01-01T00:00:00.000Z')
    ? earliest('0')
    : new Date(millis).toISOString().replace(/\D/g, '').slice(0, 14)
