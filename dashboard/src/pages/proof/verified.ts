/** An event as a list shows it. */
export interface Listed {
  readonly position: string
  readonly type: string
  readonly stream: string
  readonly revision: string
}

/** An `Outcome`, as far as it matters here. */
export type Looked =
  | { readonly kind: 'asking' | 'refused' | 'unchecked' }
  | {
      readonly kind: 'checked'
      readonly answer: { readonly event: Omit<Listed, 'position'> | null }
      readonly checked: { readonly isVerified: boolean }
    }

/** True if the event was verified, and is the one that the list shows: the server gave both. */
export const isVerified = (outcome: Looked | undefined, { type, stream, revision }: Listed): boolean =>
  outcome?.kind === 'checked' &&
  outcome.checked.isVerified &&
  outcome.answer.event?.type === type &&
  outcome.answer.event.stream === stream &&
  outcome.answer.event.revision === revision

/** How many of a list are verified; undefined until all were looked at, and of none. */
export const verifiedOf = (
  events: readonly Listed[],
  outcomes: ReadonlyMap<string, Looked>,
): number | undefined =>
  events.length > 0 && events.every(({ position }) => outcomes.has(position))
    ? events.filter((event) => isVerified(outcomes.get(event.position), event)).length
    : undefined
