import { resolve } from 'node:path'
import { storeRoot } from '../../domain/fixity/store/root.ts'
import { isBucketAddress } from '../../domain/kernel/bucket-address.ts'

/** The root that a person means by a path, or by an address of a bucket. */
export const rootGiven = (text: string): string => (isBucketAddress(text) ? storeRoot(text) : resolve(text))
