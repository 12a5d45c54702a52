/* Allow-lists of hosts, and types of downloads. Nothing here does I/O. */

export { DownloadFailure, PermanentFailure, TransientFailure } from './failures.ts'
export { mayAsk, mayBeInner, parseHosts } from './hosts.ts'
export type { HttpClient, HttpRequest, HttpResponse, RequestOptions } from './http-client.ts'
export { hasLogin, loginRefused, whyLoginRefused, withoutLogin } from './login.ts'
export type { TakeRoom } from './take-room.ts'
export type { Validators } from './validators.ts'
export type { Watch } from './watch.ts'
