import about from '../../../package.json' with { type: 'json' }
import type { DocumentInfo } from './asyncapi.ts'

/** Title, version and description of the documents. */
export const info: DocumentInfo = {
  title: 'Fonds',
  version: about.version,
  description: about.description,
}
