/* A record that a person made of what was read, by `fixity.accept`. */

const prefix = 'accepted by '

export const acceptedBy = (actor: string): string => `${prefix}${actor}`

/** Whether a record, by where it comes from, is what a person accepted: bytes that are as it says are not verified by that. */
export const isAcceptance = (recordedFrom: string | null): boolean =>
  recordedFrom?.startsWith(prefix) ?? false
