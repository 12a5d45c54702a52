/* Makes requests: undici is loaded. */

export { createFetchClient } from './client/fetch-client.ts'
