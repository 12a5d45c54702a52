import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { EventPlace } from '../../../domain/kernel/event-place.ts'
import type { IndexChange } from '../../../ports/capture-index.ts'

export interface BadChanges {
  /** Counted from 1. */
  readonly line: number
}

const Position = t.refinement(t.string, (text) => /^\d{1,20}$/.test(text), 'position in the log')
const Run = t.type({
  name: t.string,
  lines: t.number,
  bytes: t.number,
  sha256: t.string,
  first: t.string,
  last: t.string,
})
/** `event`: the event that decided the change; older versions of Fonds wrote none. */
const At = t.intersection([t.type({ position: Position }), t.partial({ event: EventPlace })])
const Change = t.union([
  t.type({ publish: t.string, run: Run }),
  t.type({ withdraw: t.string }),
  t.type({ add: Run }),
  t.type({ remove: Run }),
])
const Line = t.intersection([Change, At])

export const encodeChanges = (changes: readonly IndexChange[]): string =>
  changes.map((change) => `${JSON.stringify(lineOf(change))}\n`).join('')

const lineOf = (change: IndexChange): t.TypeOf<typeof Line> => {
  const { event } = change
  const at = { position: String(change.position), ...(event && { event }) }
  switch (change.kind) {
    case 'publish':
      return { publish: change.file, run: change.run, ...at }
    case 'withdraw':
      return { withdraw: change.file, ...at }
    case 'add':
      return { add: change.run, ...at }
    case 'remove':
      return { remove: change.run, ...at }
  }
}

/** Decodes all lines of a file of changes. Left: the first invalid line. */
export const decodeChanges = (text: string): E.Either<BadChanges, readonly IndexChange[]> => {
  const lines = text.split('\n')
  // A truncated file has no line end at its end.
  if (lines.pop() !== '') return E.left({ line: lines.length + 1 })
  const changes: IndexChange[] = []
  for (const [at, line] of lines.entries()) {
    const change = changeOf(line)
    if (!change) return E.left({ line: at + 1 })
    changes.push(change)
  }
  return E.right(changes)
}

const changeOf = (line: string): IndexChange | undefined => {
  const decoded = Line.decode(parsed(line))
  if (E.isLeft(decoded)) return undefined
  const change = decoded.right
  const { event } = change
  const at = { position: BigInt(change.position), ...(event && { event }) }
  if ('publish' in change) return { kind: 'publish', file: change.publish, run: change.run, ...at }
  if ('withdraw' in change) return { kind: 'withdraw', file: change.withdraw, ...at }
  return 'add' in change
    ? { kind: 'add', run: change.add, ...at }
    : { kind: 'remove', run: change.remove, ...at }
}

/** Undefined if it is not JSON. */
export const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
