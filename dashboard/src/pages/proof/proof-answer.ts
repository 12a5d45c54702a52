import type { paths } from '../../api/schema.ts'

/** The proof of an event, with its bytes, as the server answers it. */
export type ProofAnswer = paths['/api/v1/proof/event']['get']['responses'][200]['content']['application/json']
