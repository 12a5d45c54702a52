import type { Either } from 'fp-ts/lib/Either.js'
import { expectWhole } from '../app/proof/open-tree.ts'
import { type NoTree, ownTree } from '../app/proof/own-tree.ts'
import { type AskedEvent, type Proven, proveAsked } from '../app/proof/prove-asked.ts'
import { type TreeState, whyDamaged, whyNone } from '../app/proof/tree-state.ts'
import { usablePolicy } from '../app/proof/usable-policy.ts'
import type { System } from '../app/system.ts'
import type { ProofLog, TreeFile } from '../ports/proof-log.ts'
import { v1 } from './context.ts'
import { type DetailedProblem, refuse } from './http/refuse.ts'
import { type Handled, json, text } from './http/route.ts'
import { proofBody } from './proof-answers.ts'

/** Answers a question for the proof of an event. */
export const answerProof = async (
  system: Pick<System, 'eventStore' | 'proofLog' | 'proofPolicy'>,
  asked: AskedEvent,
  format: 'json' | 'file',
  signal: AbortSignal,
): Promise<Handled> => {
  const tree = await ownTree(system)
  if (tree.kind !== 'own') return noTree(tree)
  try {
    const proven = await proveAsked(system.eventStore, { ...tree, files: until(tree.files, signal) }, asked)
    if (proven.kind !== 'proven') return unproven(proven, asked)
    const body = proofBody(proven, tree.verifiers, (await usablePolicy(system)).policy)
    if (format === 'json') return json(body)
    return text(body.proof, 'text/plain; charset=utf-8', {
      headers: { 'content-disposition': `attachment; filename="${body.file}"` },
    })
  } catch (error) {
    const damage = whyDamaged(error)
    if (damage) return refused(409, 'tree-damaged', damage)
    throw error
  }
}

/** An id is looked for in all of the tree: nobody waits for it once the client has gone. */
const until = (files: ProofLog, signal: AbortSignal): ProofLog => ({
  ...files,
  tile: (tile) => {
    signal.throwIfAborted()
    return files.tile(tile)
  },
})

/** The problem of a tile or bundle that was cut, which nobody may keep; undefined for a whole one. */
export const cutFile = (files: ProofLog, file: TreeFile): Either<DetailedProblem, never> | undefined => {
  try {
    expectWhole(files, file)
    return undefined
  } catch (error) {
    const damage = whyDamaged(error)
    if (damage) return refused(409, 'tree-damaged', damage)
    throw error
  }
}

/** The problem of a home that shows nothing of a tree. */
export const noTree = (tree: NoTree): Either<DetailedProblem, never> => {
  const isNone = tree.kind === 'none' || tree.kind === 'elsewhere'
  return isNone ? refused(404, 'no-tree', whyNone(tree)) : refused(409, 'tree-damaged', whyNone(tree))
}

export const refused = (
  status: number,
  code: string,
  { reason, help }: NonNullable<TreeState['wrong']>,
): Either<DetailedProblem, never> => refuse(status, code, `${reason}; ${help}`)

const unproven = (found: Exclude<Proven, { kind: 'proven' }>, asked: AskedEvent): Handled => {
  switch (found.kind) {
    case 'no-such-event': {
      const [path, value] =
        'position' in asked
          ? ['position', asked.position]
          : 'id' in asked
            ? ['id', asked.id]
            : ['revision', asked.revision]
      return refuse(
        404,
        found.kind,
        `${path}: no event has the ${path} ${value}${'stream' in asked ? ` in ${asked.stream}` : ''}; GET ${v1}/events lists them`,
        { path },
      )
    }
    case 'not-sealed':
      return refuse(
        409,
        found.kind,
        `event ${found.position} is not sealed yet: the newest head reaches to ${found.sealedTo < 0n ? 'no event' : `event ${found.sealedTo}`}. A head is signed at most each ten seconds while \`fonds start\` runs with the role sealer: ask again then; GET ${v1}/proof/tree says whether one runs`,
        { sealedTo: `${found.sealedTo}` },
      )
    case 'never-sealed':
      return refuse(
        409,
        found.kind,
        `event ${found.event.position} is about processes: no tree holds such events`,
      )
    case 'inserted':
      return refuse(
        409,
        found.kind,
        `event ${found.event.position} stands in the log before sealed events, and the tree has no leaf for it: it was inserted, or put in another one's place. \`fonds proof check\` names all differences; compare with a backup, and keep both`,
      )
  }
}
