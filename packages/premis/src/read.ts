export { type ReadAgent, type ReadEvent, readPremis } from './read/documents.ts'
export { UnreadablePremis } from './read/errors.ts'
