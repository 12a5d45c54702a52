const maxShown = 5

/** Joins the first problems for a message, and adds the number of the others. */
export const firstProblems = (problems: readonly string[]): string => {
  const more = problems.length > maxShown ? `; and ${problems.length - maxShown} more` : ''
  return `${problems.slice(0, maxShown).join('; ')}${more}`
}
