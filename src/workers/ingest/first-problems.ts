const maxShown = 5

/** For a message: the first of them, and how many more there are. */
export const firstProblems = (problems: readonly string[]): string => {
  const more = problems.length > maxShown ? `; and ${problems.length - maxShown} more` : ''
  return `${problems.slice(0, maxShown).join('; ')}${more}`
}
