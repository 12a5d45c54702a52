import type { HttpClient } from '@fonds/download'
import { SECOND } from '../domain/kernel/time.ts'
import { createHttpClient } from '../workers/http/http-client.ts'
import type { Config } from './config/settings.ts'

/** Each takes a thread of some 40 MB for as long as its consumer takes bytes. */
const maxReads = 8

/**
 * Opens the client by which a process reads content of web servers: at most eight readings at a time, in threads that
 * start with the first ones and end when it is closed.
 */
export const createWebClient = ({ stallSeconds }: Pick<Config, 'stallSeconds'>): HttpClient =>
  createHttpClient({ stallMillis: stallSeconds * SECOND, maxThreads: maxReads })
