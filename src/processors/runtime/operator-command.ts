import type { Either } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import type { Permission } from '../../domain/kernel/permission.ts'
import type { Rejection } from '../../domain/kernel/rejection.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import type { Route } from './processor.ts'

/** Author, reason and time of an operator's command. */
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
  /** Accepted in its place, and shown nowhere. Stored causes have it. */
  readonly formerName?: string
  readonly description: string
  readonly codec: Codec
  readonly example: t.TypeOf<Codec>
  /** Permission that giving it needs. Absent: `operate`; `administer` where it changes how Fonds works. */
  readonly permission?: Permission
  route(input: t.TypeOf<Codec>, by: By): Route
  /**
   * Replaces another name for a thing by its id, by views; undefined if no views are needed. Comes before `route` and
   * `rejection`.
   */
  resolve?(input: t.TypeOf<Codec>): ResolvedByViews<t.TypeOf<Codec>> | undefined
  /**
   * A rejection by views, of what the command's stream cannot know; undefined if no views are needed. The dispatcher
   * first waits until the views show what the log held when the command came.
   */
  rejection?(input: t.TypeOf<Codec>): RejectionByViews | undefined
  /** `fonds <workflow> <verb>`: the same, shorter to type. */
  readonly short?: ShortForm<t.TypeOf<Codec>>
}

export interface ShortForm<Input> {
  /** For the help. */
  readonly description: string
  /** Fields typed without their name, in this order. */
  readonly arguments: readonly (keyof Input & string)[]
  /** The other fields, with a sentence each: true if given, unless they take a value. A `file` has JSON. */
  readonly flags?: Readonly<
    Record<string, { readonly description: string; readonly value?: 'file' | 'text' }>
  >
  /** Asked first, so that a slip is rejected with a suggestion. */
  rejection?(input: Input): RejectionByViews
  /** A sentence about the result; `views` name what the input has ids of. */
  done(input: Input, views: Pick<ViewStore, 'query'>): string
  readonly examples: readonly (readonly [typed: string, does: string])[]
}

/** Undefined: no rejection. */
export type RejectionByViews = (views: Pick<ViewStore, 'query'>) => Rejection | undefined

export type ResolvedByViews<Input> = (views: Pick<ViewStore, 'query'>) => Either<Rejection, Input>

/** True if views must be up to date before it is dispatched. */
export const asksViews = ({ resolve, rejection }: OperatorCommand, input: unknown): boolean =>
  resolve?.(input) !== undefined || rejection?.(input) !== undefined

export const permissionFor = ({ permission = 'operate' }: OperatorCommand): Permission => permission

export const operatorCommand = <Codec extends t.Mixed>(command: OperatorCommand<Codec>): OperatorCommand =>
  command as unknown as OperatorCommand
