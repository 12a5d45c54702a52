import { type CacheShares, cacheShares } from '../../workflows/system/cache-shares.ts'
import type { Config } from './settings.ts'

/** Bytes for each cache of this process. */
export const cachesOf = ({ cacheBytes }: Pick<Config, 'cacheBytes'>): CacheShares => cacheShares(cacheBytes)
