/** Answer to `fonds` alone: what to type first, by what somebody wants. */
export const firstHelp = (bold: (text: string) => string): string => `\
Fonds runs the recurring work of a digital archive, and remembers all of it.

${bold('Start')}
  fonds demo                                  a small archive through everything, in a folder of its own
  fonds start                                 run everything, with a page in the browser
  fonds doctor                                is everything well, and what to do if not

${bold('Work')}
  fonds fixity add /srv/archive               is the content still what it was?
  fonds ingest submit letters --wait          what became of what was submitted?
  fonds indexing add /srv/warcs               can every harvested page be found?
  fonds produce fonds.matching.works FILE     which records are about one and the same work?
  fonds research add episodes /srv/shows      which clips are in which episodes, and where?

${bold('Ask and keep')}
  fonds find letters/03.tif                   anything by its path, id, number or name
  fonds query fixity-items --as-of 1042       a view, as it is or was: by a number, a time
  fonds history archive/letters/03.tif        all that ever happened to one thing
  fonds backup /srv/backup                    a copy of what cannot be made again

fonds --help lists all commands. Each has examples: fonds fixity add --help. Settings: fonds settings --help.
`
