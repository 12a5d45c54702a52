/** Ids that count once: of sign-ins under way, and of sessions that were ended before their time. */
export interface SpentIds {
  /** Spends an id until a time (ISO 8601 UTC), after which it is forgotten. Returns false if it was spent before. */
  spend(id: string, until: string): boolean
  isSpent(id: string): boolean
  close(): void
}
