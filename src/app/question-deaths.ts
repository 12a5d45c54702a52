import { oneByOne } from '@fonds/toolbox'
import { withTimeout } from '../async/with-timeout.ts'
import { plural } from '../domain/kernel/amounts.ts'
import { shellWord } from '../domain/kernel/shell-word.ts'
import { HOUR, MINUTE } from '../domain/kernel/time.ts'
import type { LeftWork, WorkInProgress } from '../ports/work-in-progress.ts'
import type { Cause } from '../workflows/cause.ts'
import type { System } from './system.ts'

/*
 * A question that kills its process is soon asked again, by a page that stays open. Questions are not marked in normal
 * operation. After a process died, for whatever cause, the next one marks each question that it has in hand, for an
 * hour. A message that was in hand, too, is suspected first: while it is, that death does not count for a question.
 */

export const questionKind = 'question'
const watchedMillis = HOUR
/** A question that takes longer continues, and others no longer wait for it. */
const turnMillis = MINUTE

export interface QuestionDeaths {
  /**
   * Resolves when the question may be answered; to a sentence with the reason if it is refused. `done`: resolves when
   * the question has ended, to whether it was answered.
   */
  begin(question: string, done: Promise<boolean>): Promise<string | undefined>
}

type Known = Pick<System, 'workInProgress' | 'clock' | 'config' | 'log'>

/** Returns undefined if no process died: questions then cost nothing. */
export const questionDeaths = ({ workInProgress, clock, config, log }: Known): QuestionDeaths | undefined => {
  const began = clock.monotonic()
  const othersDied = workInProgress.begin()
  let suspects = suspectsIn(workInProgress)
  if (!othersDied && suspects.size === 0) return undefined
  /** Several suspects run one at a time. */
  const alone = oneByOne()
  const isWatching = () => othersDied && clock.monotonic() - began < watchedMillis

  const mark = async (question: string, done: Promise<boolean>): Promise<void> => {
    const release = workInProgress.take(questionKind, question)
    const isAnswered = await done
    release()
    if (!isAnswered) return
    for (const one of suspects.get(question) ?? []) one.resolve()
    suspects.delete(question)
  }

  return {
    begin: async (question, done) => {
      // A person may have cleared it meanwhile.
      if (suspects.has(question)) suspects = suspectsIn(workInProgress)
      const left = suspects.get(question) ?? []
      const deaths = counted(left).length
      if (deaths >= mostDeaths(config)) {
        log.warn({ question, deaths }, 'a question is refused: processes died while they answered it')
        return `${because(deaths)}; it is not answered until a person has cleared that: \`fonds doctor\` says how`
      }
      if (left.length === 0) {
        if (isWatching()) void mark(question, done)
        return undefined
      }
      let hasLeft = false
      void done.then((isAnswered) => {
        hasLeft = !isAnswered
      })
      const turn = Promise.withResolvers<string | undefined>()
      void alone(async () => {
        turn.resolve(hasLeft ? 'its client left before its turn came' : undefined)
        if (!hasLeft) await withTimeout(mark(question, done), turnMillis, () => undefined, clock)
      })
      return turn.promise
    },
  }
}

/** Returns questions that are refused, with how to clear them. */
export const refusedQuestions = ({
  workInProgress,
  config,
}: Pick<System, 'workInProgress' | 'config'>): readonly Cause[] =>
  [...suspectsIn(workInProgress)].flatMap(([question, left]) => {
    const deaths = counted(left)
    return deaths.length < mostDeaths(config)
      ? []
      : [
          {
            key: `question/${question}`,
            says: `a question is not answered any more (${question}): ${because(deaths.length)}`,
            todo: `mend that; \`rm ${deaths.map(({ file }) => shellWord(file)).join(' ')}\` then has it answered again`,
            weight: 1,
          },
        ]
  })

/** The first death had no mark. */
const mostDeaths = ({ maxDeaths }: System['config']): number => Math.max(1, maxDeaths - 1)

const suspectsIn = (workInProgress: Pick<WorkInProgress, 'leftOf'>): Map<string, readonly LeftWork[]> =>
  new Map(Map.groupBy(workInProgress.leftOf(questionKind), ({ what }) => what))

const counted = (left: readonly LeftWork[]): readonly LeftWork[] =>
  left.filter(({ hasOtherKinds }) => !hasOtherKinds)

const because = (deaths: number): string =>
  `${plural(deaths, 'process', 'processes')} in a row died while they answered it; what they logged, or the system (out of memory, a crash), says why`
