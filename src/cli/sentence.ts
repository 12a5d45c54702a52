/** A sentence as it stands in a list of help: no capital, no dot. */
export const inALine = (sentence: string): string =>
  `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`.replace(/\.$/, '')
