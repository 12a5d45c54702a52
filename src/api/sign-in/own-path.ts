const here = 'http://here.invalid'

/** Returns a path of this server; `/` for all that leads elsewhere: a link must not lead on to another site. */
export const ownPath = (wanted: string | undefined): string => {
  if (wanted === undefined || !wanted.startsWith('/') || !URL.canParse(wanted, here)) return '/'
  const { origin, pathname, search, hash } = new URL(wanted, here)
  // A path that begins with // is an address of another site.
  return origin === here && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : '/'
}
