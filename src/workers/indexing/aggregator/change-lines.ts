import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { IndexChange } from '../../../ports/capture-index.ts'

export interface BadChanges {
  /** From 1 on. */
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
const Publish = t.type({ publish: t.string, run: Run, position: Position })
const Withdraw = t.type({ withdraw: t.string, position: Position })
const Add = t.type({ add: Run, position: Position })
const Remove = t.type({ remove: Run, position: Position })
const Line = t.union([Publish, Withdraw, Add, Remove])

export const encodeChanges = (changes: readonly IndexChange[]): string =>
  changes.map((change) => `${JSON.stringify(lineOf(change))}\n`).join('')

const lineOf = (change: IndexChange): t.TypeOf<typeof Line> => {
  const position = String(change.position)
  switch (change.kind) {
    case 'publish':
      return { publish: change.file, run: change.run, position }
    case 'withdraw':
      return { withdraw: change.file, position }
    case 'add':
      return { add: change.run, position }
    case 'remove':
      return { remove: change.run, position }
  }
}

/** All lines of a file of changes, or the first that is none. */
export const decodeChanges = (text: string): E.Either<BadChanges, readonly IndexChange[]> => {
  const lines = text.split('\n')
  // A file that was cut has no line end at its end.
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
  const position = BigInt(change.position)
  if ('publish' in change) return { kind: 'publish', file: change.publish, run: change.run, position }
  if ('withdraw' in change) return { kind: 'withdraw', file: change.withdraw, position }
  return 'add' in change
    ? { kind: 'add', run: change.add, position }
    : { kind: 'remove', run: change.remove, position }
}

/** Undefined where it is no JSON. */
export const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
