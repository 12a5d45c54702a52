export { estimatedBytes } from './estimated-bytes.ts'
export { oneByOne } from './one-by-one.ts'
export { recentCache } from './recent-cache.ts'
export { isSystemError } from './system-error.ts'
