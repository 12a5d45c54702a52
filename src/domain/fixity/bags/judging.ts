import * as t from 'io-ts'
import { plural } from '../../kernel/amounts.ts'
import { NonNegativeInteger, Text, Time } from '../../kernel/codecs.ts'
import { addMillis, DAY } from '../../kernel/time.ts'
import type { State } from '../item-states.ts'

/*
 * Whether a bag is valid by RFC 8493: complete by its last listing, and each file of it verified by the last check. A
 * bag is `valid` only if nothing speaks against it and nothing is missing that speaks for it.
 */

export const Verdict = t.keyof({ valid: null, 'not-valid': null, 'not-proven': null }, 'verdict on a bag')
export type Verdict = t.TypeOf<typeof Verdict>

/** Rows of the table "Bags" in docs/fixity.md, in the order in which they are asked. */
export const BagRule = t.keyof(
  { B1: null, B2: null, B3: null, B4: null, B5: null, B6: null, B7: null },
  'rule of bags',
)
export type BagRule = t.TypeOf<typeof BagRule>

/** A bag as a listing found it, its manifests read. */
export const BagStructure = t.intersection(
  [
    t.type({
      /** RFC 8493 §3, and each digest of its manifests is in the record of its file. */
      isComplete: t.boolean,
      /** The first ones. Paths are those of the store; `.` is the root. */
      problems: t.array(t.type({ path: Text, reason: Text })),
      problemsLeftOut: NonNegativeInteger,
      /** Files outside of the payload that no manifest names, without the bag's own files. */
      strays: NonNegativeInteger,
      firstStray: t.union([Text, t.null]),
      /** Files that were listed and are in no record. */
      unrecorded: NonNegativeInteger,
      /** Payload, by the listing. */
      files: NonNegativeInteger,
      bytes: NonNegativeInteger,
      /** Expected items below it, after the listing was recorded. */
      items: NonNegativeInteger,
      listedAt: Time,
    }),
    t.partial({
      /** Files that have another size than recorded, or were written to since a check read them; absent: none. */
      changed: NonNegativeInteger,
      firstChanged: Text,
      /** The first of them, at most 50. Older listings have none. */
      changedPaths: t.array(Text),
    }),
  ],
  'structure of a bag',
)
export type BagStructure = t.TypeOf<typeof BagStructure>

/** The items below a bag, by the last checks. */
export interface BagContent {
  readonly states: Readonly<Partial<Record<State, number>>>
  /** Part of `baselined`: payload, which was compared with no manifest. */
  readonly baselinedPayload: number
  /** Verified or baselined, and the next check is overdue. */
  readonly late: number
  /** Those of `changedPaths` that a check has read since the listing, and found as recorded; absent: not looked for. */
  readonly readSince?: readonly string[]
  /** An item that the rule speaks of; null if none was looked for. */
  readonly first: { readonly path: string; readonly cause: string | null } | null
}

export interface Judgement {
  readonly verdict: Verdict
  readonly rule: BagRule
  /** One sentence. */
  readonly because: string
}

const wrongStates = ['failed', 'lost', 'accepted'] as const satisfies readonly State[]
const openStates = [
  'suspect',
  'parked',
  'unverified',
  'unchecked',
  'unread',
] as const satisfies readonly State[]
/** States that a rule names an item of, the worst first. */
export const speakingStates: readonly State[] = [...wrongStates, ...openStates]

/** `intervalDays`: within so many days a store is listed and checked; an older listing proves nothing of today. */
export const judgeBag = (
  structure: BagStructure,
  content: BagContent,
  { now, intervalDays }: { readonly now: string; readonly intervalDays: number },
): Judgement => {
  const amount = (state: State) => content.states[state] ?? 0
  const sum = (states: readonly State[]) => states.reduce((total, state) => total + amount(state), 0)
  const all = Object.values(content.states).reduce((total, one) => total + one, 0)
  const { problems, problemsLeftOut, strays, firstStray, items, listedAt } = structure
  const [problem] = problems
  if (!structure.isComplete) {
    const more = problems.length - 1 + problemsLeftOut
    return {
      verdict: 'not-valid',
      rule: 'B1',
      because: `It is not complete: ${problem ? `${problem.path}: ${problem.reason}` : 'its listing found a problem'}${more > 0 ? `, and ${plural(more, 'more problem')}` : ''}.`,
    }
  }
  const named = content.first
    ? `: ${content.first.path}: ${content.first.cause ?? 'no cause is recorded'}`
    : ''
  const wrong = sum(wrongStates)
  if (wrong > 0)
    return {
      verdict: 'not-valid',
      rule: 'B2',
      because: `${plural(wrong, 'file is', 'files are')} not as the manifests record${endWith(named)}`,
    }
  if (strays > 0)
    return {
      verdict: 'not-proven',
      rule: 'B3',
      because: `${plural(strays, 'file is', 'files are')} in no manifest${firstStray === null ? '' : `: ${firstStray}`}.`,
    }
  if (structure.unrecorded > 0)
    return {
      verdict: 'not-proven',
      rule: 'B4',
      because: `${plural(structure.unrecorded, 'file is', 'files are')} not recorded yet: \`fonds fixity add\` records what is there.`,
    }
  if (all !== items)
    return {
      verdict: 'not-proven',
      rule: 'B4',
      because: `${plural(items, 'file was', 'files were')} recorded when it was listed, and ${all} ${all === 1 ? 'is' : 'are'} now: it is to be listed again.`,
    }
  const changed = (structure.changed ?? 0) - (content.readSince?.length ?? 0)
  const firstChanged =
    structure.changedPaths?.find((path) => !content.readSince?.includes(path)) ?? structure.firstChanged
  if (changed > 0)
    return {
      verdict: 'not-proven',
      rule: 'B5',
      because: `${plural(changed, 'file was', 'files were')} changed after the last check had read ${changed === 1 ? 'it' : 'them'}${firstChanged === undefined ? '' : `: ${firstChanged}`}; \`fonds fixity check\` reads and lists what is there.`,
    }
  const lacking = Math.max(0, structure.files - amount('verified'))
  const open = Math.max(sum(openStates) + content.baselinedPayload + content.late, lacking)
  if (open > 0)
    return {
      verdict: 'not-proven',
      rule: 'B5',
      because: `${plural(open, 'file is', 'files are')} not verified within the interval${endWith(named)}`,
    }
  if (listedAt > addMillis(now, DAY))
    return {
      verdict: 'not-proven',
      rule: 'B6',
      because: `It was last listed on ${listedAt.slice(0, 10)}, which is yet to come: a clock was ahead. \`fonds fixity check\` lists it again.`,
    }
  if (addMillis(listedAt, intervalDays * DAY) < now)
    return {
      verdict: 'not-proven',
      rule: 'B6',
      because: `It was last listed on ${listedAt.slice(0, 10)}, more than ${plural(intervalDays, 'day')} ago.`,
    }
  return {
    verdict: 'valid',
    rule: 'B7',
    because: `It is complete, and each of its ${plural(amount('verified'), 'file')} with a recorded checksum was read and equals it.`,
  }
}

/** True if nothing is at its place and nothing is expected there: it was removed on purpose. */
export const isRemoved = (structure: BagStructure, { states }: Pick<BagContent, 'states'>): boolean =>
  [structure.items, structure.files, structure.strays, structure.unrecorded, ...Object.values(states)].every(
    (amount) => amount === 0,
  )

const endWith = (text: string): string => (text.endsWith('.') ? text : `${text}.`)
