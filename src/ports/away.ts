/**
 * Something that the work depends on is away. Thrown where there is no Either to return; whoever delivers the work
 * pauses and delivers it again, nothing is skipped.
 */
export class Away extends Error {
  override readonly name: string = 'Away'
}
