import * as t from 'io-ts'

/** What tells one state of a resource from another, for conditional requests. */
export const Validators = t.partial({ etag: t.string, lastModified: t.string }, 'validators')
export type Validators = t.TypeOf<typeof Validators>
