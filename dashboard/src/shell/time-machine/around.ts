import type { Answer } from '../../api/client.ts'

/** A moment among the events of the log. */
export type Around = Answer<'/api/v1/events/moment'>
