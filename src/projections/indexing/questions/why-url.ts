import { type CaptureQuery, surt } from '@fonds/cdx'
import { keysOfUrl } from '@fonds/cdx/server'
import type { AccessRule } from '../../../domain/indexing/access/rule.ts'
import { inWords } from '../../../domain/indexing/captures/time-digits.ts'
import { files } from '../../../domain/indexing/views.ts'
import { count, plural } from '../../../domain/kernel/amounts.ts'
import { countRows, is, rows, tally } from '../../../domain/kernel/read-views.ts'
import type { ViewStore } from '../../../ports/view-store.ts'
import type { Asking } from '../../runtime/question.ts'
import type { CaptureSource } from '../captures/capture-source.ts'
import { findCaptures } from '../captures/find-captures.ts'
import type { WhyUrl } from './answers.ts'
import { capturesAsked } from './capture-scope.ts'

/** Most archive files that are named; a key may be in thousands. */
const maxFiles = 20

/** Whether a URL can be found, since when and from which files; if not, the known reasons. */
export const whyUrl = async (views: ViewStore, url: string, asking: Asking): Promise<WhyUrl> => {
  const source = await capturesAsked(asking)
  const query: CaptureQuery = { keys: keysOfUrl('exact', url) }
  const found = await sumUp(source, query, asking.signal)
  const key = surt(url)
  const names = [...found.files.keys()].slice(0, maxFiles)
  const findable = found.captures > 0
  const hidden = await hiddenReasons(source, query, asking)
  return {
    ...{ url, key, findable, captures: found.captures, files: names },
    since: findable ? sinceOf(views, names) : null,
    first: found.first ?? null,
    last: found.last ?? null,
    reasons: [
      ...(findable ? foundReasons(found) : []),
      ...hidden,
      ...(findable || hidden.length > 0 ? [] : await missingReasons(source, url, asking)),
      ...(findable || hidden.length > 0 ? [] : filesOutside(views)),
    ],
  }
}

interface Found {
  captures: number
  first?: string
  last?: string
  readonly files: Map<string, number>
  isCut: boolean
}

const sumUp = async (source: CaptureSource, query: CaptureQuery, signal: AbortSignal): Promise<Found> => {
  const found: Found = { captures: 0, files: new Map(), isCut: false }
  for await (const { lines, end } of findCaptures(source, query)) {
    signal.throwIfAborted()
    for (const { time, field } of lines) {
      const file = field('file')
      found.captures++
      found.first ??= time
      found.last = time
      if (found.files.has(file) || found.files.size <= maxFiles)
        found.files.set(file, (found.files.get(file) ?? 0) + 1)
    }
    if (end?.cut) found.isCut = true
  }
  return found
}

/** Time when the first of the files that have it came into the index; null if none of them is known here. */
const sinceOf = (views: ViewStore, names: readonly string[]): string | null =>
  rows(views, files, { where: [{ column: 'name', is: 'in', value: names }] })
    .flatMap(({ indexedAt }) => indexedAt ?? [])
    .sort()[0] ?? null

const foundReasons = ({ captures, first = '', last = '', files: found, isCut }: Found): readonly string[] => [
  `${isCut ? 'at least ' : ''}${plural(captures, 'capture')}: ${first === last ? inWords(first) : `${inWords(first)} to ${inWords(last)}`}`,
  ...[...found].slice(0, maxFiles).map(([file, n]) => `${count(n)} in ${file}`),
  ...(found.size > maxFiles ? ['and in more files'] : []),
]

/** C2, C19: over HTTP no rule of access, and no embargo, must be noticeable, except rules that have a public message. */
const hiddenReasons = async (
  { isHidden: _, refusedBy, heldBack, ...source }: CaptureSource,
  query: CaptureQuery,
  { isShared, signal }: Asking,
): Promise<readonly string[]> => {
  if (!refusedBy && !heldBack) return []
  const hidden = new Map<AccessRule | string, number>()
  for await (const { lines } of findCaptures(source, query)) {
    signal.throwIfAborted()
    for (const line of lines) {
      const file = line.field('file')
      const by = heldBack?.(file) ? file : refusedBy?.(line)
      if (by !== undefined) hidden.set(by, (hidden.get(by) ?? 0) + 1)
    }
  }
  return [...hidden].flatMap(([by, n]) => {
    if (isShared) return typeof by === 'string' ? [] : (by.publicMessage ?? [])
    const captures = plural(n, 'capture')
    return typeof by === 'string'
      ? `an embargo of ${by} hides ${captures}: \`fonds indexing why ${by}\` says more`
      : `the rule of access ${by.rule} hides ${captures}: \`fonds indexing access\` says more`
  })
}

const missingReasons = async (
  source: CaptureSource,
  url: string,
  { signal }: Asking,
): Promise<readonly string[]> => {
  const nothing = `nothing is in the index under the key ${surt(url)}`
  const runs = await source.index.runs()
  if (runs.length === 0) return [nothing, 'the index has no lines at all: none were published yet']
  const ofHost = await sumUp(source, { keys: keysOfUrl('host', url), limit: 1 }, signal)
  return [
    nothing,
    ofHost.captures > 0
      ? `its host has captures: \`fonds indexing captures ${url} --match host\` lists them`
      : 'nothing of its host is in the index',
  ]
}

/** Files that are known but not in the index, which may hold it. */
const filesOutside = (views: ViewStore): readonly string[] => {
  const counts = tally(views, files, { by: ['state'] })
  const outside = counts.filter(({ state }) => state !== 'indexed' && state !== 'withdrawn')
  const withdrawn = counts.find(({ state }) => state === 'withdrawn')?.count ?? 0
  const adopted = countRows(views, files, is('state', 'indexed'), is('lines', null))
  const sum = outside.reduce((total, { count }) => total + count, 0)
  const salvaged = countRows(views, files, is('salvaged', 1))
  return [
    ...(sum > 0
      ? [
          `it may be in ${plural(sum, 'file')} not indexed yet (${outside.map(({ state, count: n }) => `${count(n)} ${state}`).join(', ')}): \`fonds indexing late --hours 0\` lists them`,
        ]
      : []),
    ...(withdrawn > 0
      ? [
          `it may be in ${plural(withdrawn, 'withdrawn file')}: \`fonds indexing files --state withdrawn\` lists them`,
        ]
      : []),
    ...(adopted > 0
      ? [
          `it may be in ${plural(adopted, 'file')} that others indexed before Fonds came: Fonds did not write their lines`,
        ]
      : []),
    ...(salvaged > 0
      ? [
          `it may be among what ${plural(salvaged, 'salvaged file')} lost: \`fonds indexing files --salvaged true\` lists them`,
        ]
      : []),
    ...(sum + withdrawn + adopted + salvaged === 0
      ? [
          `${counts.length === 0 ? 'no archive file is known' : 'all files that are known are indexed'}: \`fonds indexing add <folder|list>\` makes ${counts.length === 0 ? 'some' : 'others'} known`,
        ]
      : []),
  ]
}
