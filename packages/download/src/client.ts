/* Makes requests. Loads undici. */

export { createFetchClient } from './client/fetch-client.ts'
