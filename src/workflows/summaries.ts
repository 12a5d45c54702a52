/** The workflows that have a command of their own, in the order of the help: what each is asked. */
export const summaries = {
  fixity: 'is the content still what it was?',
  indexing: 'can every harvested page be found?',
  ingest: 'what became of what was submitted?',
  matching: 'which records are about one and the same work?',
  research: 'which clips are in which episodes, and where?',
  settings: 'what is the archive set to, by whom and why?',
} as const
