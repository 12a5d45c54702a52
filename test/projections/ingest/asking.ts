import { isLeft } from 'fp-ts/lib/Either.js'
import type { WorkArea } from '#src/domain/ingest/work-area.ts'
import type { Row } from '#src/domain/kernel/view.ts'
import type { ViewStore } from '#src/ports/view-store.ts'
import { withDefaults } from '#src/projections/runtime/field.ts'
import type { Alarm, Question, QuestionRejection } from '#src/projections/runtime/question.ts'

/** What a question answers, and what people are shown of it; its answer goes through its codec. */
interface Asked {
  readonly rejection?: QuestionRejection
  readonly answer: Readonly<Record<string, unknown>>
  readonly rows: readonly Row[]
  /** Sentences for people; tables are `rows`. */
  readonly lines: readonly string[]
  readonly nothing?: string | undefined
  readonly alarm?: Alarm | undefined
  readonly remarks: readonly string[]
}

/** A process that sees no work volume, unless said. */
export const areaWith = (more: Partial<WorkArea> = {}): WorkArea => ({
  thresholdPercent: 80,
  unknownBytes: 500,
  recordsElsewhere: false,
  atOnce: 4,
  sites: async () => [],
  workVolume: async () => undefined,
  storageVolume: async () => undefined,
  ...more,
})

export const asked = async (
  question: Question,
  views: ViewStore,
  now: string,
  given: Readonly<Record<string, unknown>> = {},
  area: WorkArea = areaWith(),
): Promise<Asked> => {
  const input = withDefaults(question.input, given)
  // These questions ask the views alone.
  const asking = { now, isShared: true, of: { ingest: area } } as Parameters<Question['ask']>[2]
  const answered = await question.ask(views, input, asking)
  if (isLeft(answered)) return { rejection: answered.left, answer: {}, rows: [], lines: [], remarks: [] }
  const answer = answered.right as Asked['answer']
  if (!question.answer.is(answer)) throw new Error(`${question.name} answers what it does not say`)
  const about = { input, views }
  return {
    answer,
    rows: question.rows?.of(answer) ?? [],
    lines: question.show(answer, about).filter((block) => typeof block === 'string'),
    nothing: question.nothing?.(answer, about),
    alarm: question.alarm?.(answer, about),
    remarks: question.remarks?.(answer, about) ?? [],
  }
}
