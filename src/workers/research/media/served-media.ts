import type { IncomingHttpHeaders } from 'node:http'

export interface MediaRequest {
  readonly method: string
  readonly headers: IncomingHttpHeaders
}

export interface ServedMedia {
  readonly status: number
  readonly contentType: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: AsyncIterable<Uint8Array>
}

export interface NotServed {
  readonly code: 'unreadable-media' | 'media-server' | 'too-many-listeners'
  readonly message: string
}
