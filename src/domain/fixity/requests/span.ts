/** Between which paths others lie, in the order of JavaScript's `<`; `paths`: one at least. */
export const spanOf = (paths: readonly string[]): { readonly first: string; readonly last: string } => {
  let first = paths[0] as string
  let last = first
  for (const path of paths) {
    if (path < first) first = path
    if (path > last) last = path
  }
  return { first, last }
}
