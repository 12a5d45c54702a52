import type { Verdict } from '#src/domain/fixity/verdict.ts'

/** What is to come of a pattern. `replica`: internal with a good second copy, external without. */
export interface Expected {
  readonly patterns: string
  readonly row: string
  readonly when: 'now' | 'lag'
  readonly outcome: Verdict['outcome']
  readonly class?: 'internal' | 'external' | 'manual' | 'replica'
  readonly mending?: Verdict['followUps']
}

/** The rows of the decision table, by number, with content that is read and content that never is (`n`). */
export const rows: readonly Expected[] = [
  { row: 'F1', patterns: 'AAAA nAAA', when: 'now', outcome: 'success' },
  { row: 'F2', patterns: 'ABBB', when: 'now', outcome: 'failure', class: 'replica' },
  { row: 'F3', patterns: 'ABAA', when: 'now', outcome: 'failure', class: 'external' },
  { row: 'F4', patterns: 'nABB', when: 'lag', outcome: 'failure', class: 'external' },
  { row: 'F5', patterns: 'AABA AA-A', when: 'now', outcome: 'failure', mending: ['correct-index'] },
  { row: 'F6', patterns: 'AAAB nAAB', when: 'now', outcome: 'failure', class: 'internal' },
  { row: 'F7', patterns: 'AAA- nAA-', when: 'now', outcome: 'failure', mending: ['re-audit'] },
  { row: 'F8', patterns: '--AA', when: 'lag', outcome: 'failure', class: 'internal' },
  { row: 'F9', patterns: 'AA--', when: 'lag', outcome: 'failure', mending: ['re-audit'] },
  { row: 'F10', patterns: 'AABB AABC', when: 'lag', outcome: 'failure', mending: ['re-audit'] },
  { row: 'F11', patterns: '----', when: 'now', outcome: 'nothing' },
]

const external = { when: 'lag', outcome: 'failure', class: 'external' } as const
const internal = { when: 'lag', outcome: 'failure', class: 'internal' } as const
const manual = { when: 'lag', outcome: 'failure', class: 'manual' } as const
const sour = { when: 'lag', outcome: 'failure', class: 'replica' } as const
const reaudit = { when: 'lag', outcome: 'failure', mending: ['re-audit'] } as const
const patch = { when: 'now', outcome: 'failure', mending: ['correct-index'] } as const

/** What the decision table does not name. */
export const unnamed: readonly Expected[] = [
  // Bytes and storage gone, one record or two that differ.
  { row: 'clause 1', patterns: '---A --A- --AB', ...internal },
  // The storage lists what it cannot serve.
  { row: 'clause 1', patterns: '-A-- -A-A -A-B -AB- -ABC -AA- -AAA -AAB -ABB -ABA', ...external },
  // Bytes that the storage does not list.
  { row: 'clause 1', patterns: 'A--- A--A A--B A-A- A-AA A-AB A-B- A-BA A-BB A-BC', ...external },
  { row: 'clause 3', patterns: 'AA-B', ...reaudit },
  { row: 'clause 4', patterns: 'AAB-', ...reaudit },
  { row: 'clause 4', patterns: 'AB-- ABA-', ...external },
  { row: 'clause 2', patterns: 'AB-A ABCA ABBA', ...external, mending: ['correct-index'] },
  { row: 'clause 3', patterns: 'AB-B ABCB ABAB', ...sour, mending: ['correct-index'] },
  { row: 'clause 4', patterns: 'ABB-', ...sour },
  { row: 'clause 3', patterns: 'ABCC', ...sour },
  { row: 'clause 3', patterns: 'AB-C ABCD ABAC ABBC', ...manual },
  { row: 'clause 4', patterns: 'ABC-', ...manual },
  // Content never read.
  { row: 'F11', patterns: 'n---', when: 'now', outcome: 'nothing' },
  { row: 'clause 1', patterns: 'n--A n-A- n-AB', ...internal },
  { row: 'F8', patterns: 'n-AA', ...internal },
  { row: 'F9', patterns: 'nA--', ...reaudit },
  { row: 'F5', patterns: 'nA-A nABA', ...patch },
  { row: 'clause 5', patterns: 'nA-B nAB-', ...external },
  { row: 'clause 5', patterns: 'nABC', ...manual },
]

/** No comparable checksum at the storage (clause 6), or in the records. */
export const incomparable: readonly Expected[] = [
  { row: 'clause 6', patterns: 'A?AA A??A', when: 'now', outcome: 'success' },
  { row: 'F5', patterns: 'A?-A A?BA', ...patch },
  { row: 'F6', patterns: 'A?AB', when: 'now', outcome: 'failure', class: 'internal' },
  { row: 'F7', patterns: 'A?A-', when: 'now', outcome: 'failure', mending: ['re-audit'] },
  { row: 'F9', patterns: 'A?--', ...reaudit },
  { row: 'clause 6', patterns: 'A?BB A?-B A??B', ...internal },
  { row: 'clause 6', patterns: 'A?B- A?BC A?B?', ...manual },
  { row: 'clause 1', patterns: '-?-- -?-A -?A- -?AA -?AB', ...external },
  {
    row: 'clause 6',
    patterns: 'n?-- n?-A n?A- n?AA n?AB n??A n?A? n??? ?AAA ?A-A ??AA ?ABC',
    when: 'now',
    outcome: 'unverified',
  },
  // An index that cannot be compared is silent: neither confirmed nor corrected.
  { row: 'clause 2', patterns: 'AA?A', when: 'now', outcome: 'success' },
  { row: 'clause 2', patterns: 'AB?A', ...external },
  { row: 'clause 3', patterns: 'AA?B', ...reaudit },
  { row: 'clause 3', patterns: 'AB?B', ...sour },
  { row: 'clause 3', patterns: 'AB?C', ...manual },
  { row: 'clause 4', patterns: 'AA?- A??-', ...reaudit },
  { row: 'clause 4', patterns: 'AB?-', ...external },
  { row: 'clause 5', patterns: 'nA?-', ...reaudit },
  { row: 'clause 5', patterns: 'nA?A', when: 'now', outcome: 'unverified' },
  { row: 'clause 5', patterns: 'nA?B', ...external },
  // An audit log that cannot be compared never makes a success; the others may still contradict one another.
  {
    row: 'clause 4',
    patterns: 'AAA? AA-? AA?? A?A? A?-? A???',
    when: 'now',
    outcome: 'unverified',
    mending: ['re-audit'],
  },
  { row: 'clause 4', patterns: 'AAB?', ...reaudit },
  { row: 'clause 4', patterns: 'ABB?', ...sour },
  { row: 'clause 4', patterns: 'ABA? AB-? AB??', ...external },
  { row: 'clause 4', patterns: 'ABC?', ...manual },
  { row: 'clause 5', patterns: 'nAA? nA-? nA??', when: 'now', outcome: 'unverified', mending: ['re-audit'] },
  { row: 'clause 5', patterns: 'nAB?', ...external },
]

/** The audit log recorded a removal (clause 7). */
export const removed: readonly Expected[] = [
  { row: 'clause 7', patterns: '---x n--x', when: 'now', outcome: 'nothing' },
  {
    row: 'clause 7',
    patterns: '--Ax --?x n-Ax n-?x',
    when: 'lag',
    outcome: 'failure',
    mending: ['remove-index'],
  },
  { row: 'clause 7', patterns: 'AAAx AABx ABAx A-Ax -AAx A?Ax nAAx n?Ax AA?x', ...internal },
  { row: 'clause 7', patterns: 'AA-x AB-x A--x -A-x A?-x nA-x n?-x', ...reaudit },
]
