import type { Column } from '../lines/columns.ts'

/** Names of a line's fields among servers and their clients. */
const names: Readonly<Record<string, Column>> = {
  urlkey: 'key',
  timestamp: 'time',
  url: 'url',
  original: 'url',
  mime: 'mime',
  mimetype: 'mime',
  status: 'status',
  statuscode: 'status',
  digest: 'digest',
  redirect: 'redirect',
  redirecturl: 'redirect',
  robotflags: 'flags',
  length: 'length',
  offset: 'offset',
  filename: 'file',
  originalLength: 'originalLength',
  originalOffset: 'originalOffset',
  originalFilename: 'originalFile',
  'orig.length': 'originalLength',
  'orig.offset': 'originalOffset',
  'orig.filename': 'originalFile',
}

/** Finds own properties only: `constructor` is not a field. */
export const columnNamed = (name: string): Column | undefined =>
  Object.hasOwn(names, name) ? names[name] : undefined

export const fieldNames = Object.keys(names)
