import type { paths } from '../../api/schema.ts'
import type { Condition } from '../../parts/condition.ts'

type Tree = Pick<
  paths['/api/v1/proof/tree']['get']['responses'][200]['content']['application/json'],
  'state' | 'wrong' | 'unsealed' | 'isSealing' | 'head' | 'check' | 'witnessed'
>

export interface Standing {
  readonly is: Condition
  readonly words: string
  /** Undefined where the server's own sentences say it, or nothing is to be done. */
  readonly help?: string
}

/** A head is signed each day, where the log did not grow, too; an hour more is no matter. */
const lateMillis = 25 * 3_600_000

/** How the tree stands, in a word and a shape: the worst first. */
export const standingOf = (tree: Tree, now: Date): Standing => {
  const { state, wrong, unsealed, isSealing, head, check, witnessed } = tree
  switch (state) {
    case 'none':
      return { is: 'idle', words: 'Not sealed yet' }
    case 'elsewhere':
      return { is: 'away', words: 'Sealed in another home' }
    case 'sealed':
      break
    default:
      return {
        is: 'wrong',
        words: state === 'behind' ? 'The log lacks sealed events' : 'The tree cannot be used',
      }
  }
  if (check !== null && check.differences.length > 0)
    return { is: 'wrong', words: 'The log is not what was sealed' }
  if (unsealed.length > 0) return { is: 'wrong', words: 'Something speaks against it' }
  if (wrong !== null) return { is: 'needs somebody', words: 'A setting is to be mended' }
  if (head === null || now.getTime() - Date.parse(head.at) > lateMillis)
    return {
      is: 'needs somebody',
      words: 'No new head',
      help: 'A head is signed each day: run `fonds start` with the role sealer',
    }
  if (!isSealing)
    return {
      is: 'needs somebody',
      words: 'Nobody seals',
      help: 'Run `fonds start` with the role sealer: new events are not sealed meanwhile',
    }
  if (witnessed !== null && !witnessed.isQuorum)
    return {
      is: 'needs somebody',
      words: 'Sealed, and not seen by enough witnesses',
      help: 'Ask the witnesses whether they answer; they are asked each hour',
    }
  return { is: 'well', words: 'The log is sealed' }
}
