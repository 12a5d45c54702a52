/**
 * The reason of a job's last move, or else its warnings, in one line; null if there are none. Views that an earlier
 * program folded have no warnings.
 */
export const messageOf = ({
  message,
  warnings,
}: {
  readonly message: string | null
  readonly warnings?: readonly string[] | null
}): string | null => message ?? (warnings?.length ? warnings.join('; ') : null)
