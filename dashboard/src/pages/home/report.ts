import type { Condition } from '../../parts/condition.ts'

/** What waits for a person. */
export interface Need {
  /** ISO 8601. */
  readonly since: string
  /** What it is about. */
  readonly subject: string
  readonly says: string
  /** Whether something is wrong, or waits. */
  readonly is?: Condition
  /** Where it is settled. */
  readonly href: string
  readonly verb: string
  /** What it is about, as a history of it is asked for. */
  readonly thing?: string
}

/** How one workflow is. */
export interface Report {
  readonly is: Condition
  /** Why, in a sentence. */
  readonly says: string
  /** How much there is: the number that leads, with what it counts. */
  readonly amount: { readonly value: string; readonly of: string }
  /** Other numbers, each with its label; those that nobody knows are left out. */
  readonly facts: readonly (readonly [label: string, value: string])[]
  /** The oldest first. */
  readonly needs: readonly Need[]
  /** There are more needs than are listed. */
  readonly hasMoreNeeds: boolean
}

/** A workflow as home asks for it: questions of the public API, no others. */
export interface Workflow {
  readonly name: string
  readonly title: string
  /** Where more is to be seen. */
  readonly page: string
  readonly ask: (signal: AbortSignal) => Promise<Report>
}

/** Most needs of a kind that home lists. */
export const maxNeeds = 20
