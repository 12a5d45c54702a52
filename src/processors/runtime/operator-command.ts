import type * as t from 'io-ts'
import type { Rejection } from '../../domain/kernel/rejection.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import type { Plan } from './processor.ts'

/** Who wants it, why, and when: every operator's command says so. */
export interface By {
  readonly actor: string
  readonly reason: string
  /** ISO 8601 UTC. */
  readonly at: string
}

/** A person's command: `fonds do <name> key=value …` and `POST /api/v1/commands/<name>`. */
export interface OperatorCommand<Codec extends t.Mixed = t.Mixed> {
  /** `<workflow>.<verb>`. */
  readonly name: string
  readonly description: string
  readonly codec: Codec
  readonly example: t.TypeOf<Codec>
  plan(input: t.TypeOf<Codec>, by: By): Plan
  /**
   * What views may say against it that its stream cannot know; undefined where they are not asked. Whoever gives the
   * command sees to it that they show what the log held when it came.
   */
  objection?(input: t.TypeOf<Codec>): Objection | undefined
}

/** Undefined: nothing is said against it. */
export type Objection = (views: Pick<ViewStore, 'query'>) => Rejection | undefined

export const operatorCommand = <Codec extends t.Mixed>(command: OperatorCommand<Codec>): OperatorCommand =>
  command as unknown as OperatorCommand
