import about from '../../../package.json' with { type: 'json' }
import type { DocumentInfo } from './asyncapi.ts'

/** What documents say of themselves. */
export const info: DocumentInfo = {
  title: 'Fonds',
  version: about.version,
  description: about.description,
}
