import * as t from 'io-ts'

/** They identify a state of a resource, for conditional requests. */
export const Validators = t.partial({ etag: t.string, lastModified: t.string }, 'validators')
export type Validators = t.TypeOf<typeof Validators>
