/* Addresses that are not of the public internet. */

export {
  failIfInner,
  InnerAddress,
  leadsInside,
  lookupPublic,
  noPublicAddress,
} from './addresses/inner-addresses.ts'
